/** Texts that fit a format or a pattern. */

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
  regex: '.*',
  'json-pointer': '',
}

/** The text of a format that is known; null for any other. */
export const sampleFormat = (format: unknown): string | null =>
  typeof format === 'string' && Object.hasOwn(formats, format) ? (formats[format] ?? null) : null

/**
 * A short text that matches, made of literals, classes, groups, alternatives and counts; null where the pattern has
 * more than these. The first alternative and the least count are taken.
 */
export function samplePattern(pattern: string): string | null {
  try {
    const made = alternatives({ rest: pattern })
    if (made === null) return null
    return new RegExp(pattern, 'u').test(made) ? made : null
  } catch {
    return null
  }
}

type Reader = { rest: string }

const longest = 10_000

function alternatives(reader: Reader): string | null {
  let first: string | null = null
  for (;;) {
    const made = sequence(reader)
    if (made === null) return null
    first ??= made
    if (!reader.rest.startsWith('|')) return first
    reader.rest = reader.rest.slice(1)
  }
}

function sequence(reader: Reader): string | null {
  let made = ''
  while (reader.rest !== '' && !/^[|)]/.test(reader.rest)) {
    const one = atom(reader)
    if (one === null) return null
    made += one.repeat(Math.min(count(reader), longest))
    if (made.length > longest) return null
  }
  return made
}

/** How often what stands before must come at least. */
function count(reader: Reader): number {
  const [found = '', least] = /^(?:[?*]|\+|\{(\d{1,6})(?:,\d*)?\})\??/.exec(reader.rest) ?? []
  reader.rest = reader.rest.slice(found.length)
  if (found === '' || found.startsWith('+')) return 1
  return least === undefined ? 0 : Number(least)
}

function atom(reader: Reader): string | null {
  const { rest } = reader
  const take = (length: number) => {
    reader.rest = rest.slice(length)
  }
  if (rest.startsWith('^') || rest.startsWith('$')) {
    take(1)
    return ''
  }
  if (rest.startsWith('(')) {
    const [opening = ''] = /^\((?:\?:|\?<[A-Za-z]\w*>)?(?!\?)/.exec(rest) ?? []
    if (opening === '') return null
    take(opening.length)
    const made = alternatives(reader)
    if (!reader.rest.startsWith(')')) return null
    reader.rest = reader.rest.slice(1)
    return made
  }
  if (rest.startsWith('[')) {
    const [whole = '', body = ''] = /^\[((?:\\.|[^\]\\])+)\]/.exec(rest) ?? []
    if (whole === '') return null
    take(whole.length)
    return memberOf(`[${body}]`)
  }
  if (rest.startsWith('\\')) {
    const escaped = rest.slice(0, 2)
    if (/\\[bBkpPux1-9c]/.test(escaped)) return null
    take(2)
    return /\\[dDwWsS]/.test(escaped) ? memberOf(escaped) : escaped.slice(1)
  }
  const [character = ''] = rest
  take(character.length)
  return character === '.' ? 'a' : character
}

/** A character of a class, a plain one if it has any. */
function memberOf(characters: string): string | null {
  const pattern = new RegExp(`^${characters}$`)
  for (const candidate of 'aA0 -_.,:/@#') if (pattern.test(candidate)) return candidate
  for (let code = 33; code < 0x250; code++) {
    if (pattern.test(String.fromCharCode(code))) return String.fromCharCode(code)
  }
  return null
}
