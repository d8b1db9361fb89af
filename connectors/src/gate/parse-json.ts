/** Parses the JSON of a service's reply. The reply may have any length, so a long one is parsed piece by piece. */
import { createPauses } from '../pauses.ts'
import { gated } from './gate.ts'

/** The number of characters that are parsed at once. This takes some milliseconds for any content. */
const pieceLength = 128 * 1024
/** How deep lists and objects that are longer than a piece may be nested. Each level is searched once more. */
const mostLevels = 6

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openingList, openingObject, closingList, closingObject] = [0x5b, 0x7b, 0x5d, 0x7d]

type Part = { start: number; end: number }

/** A page of a thousand messages has up to 200,000 values. */
const usualMaxValues = 500_000
const maxDepth = 1_000
/** Of a processor, for a whole text. A reply of the most values takes two seconds. */
const mostMs = 10_000

/** The text of a reply that passes the gate. The call limits its bytes. Throws `OutsideFault`. */
export const textOfReply = (response: Response, maxValues = usualMaxValues): Promise<string> =>
  gated(response, { maxBytes: Number.MAX_SAFE_INTEGER, maxValues, maxDepth }).text()

/** The JSON of a reply that passes the gate. Throws as `parseJson` does. */
export const readReply = async (response: Response, maxValues?: number): Promise<unknown> =>
  parseJson(await textOfReply(response, maxValues))

/**
 * Like `JSON.parse`, in turns of the event loop. Throws a `SyntaxError` for invalid JSON, and for long parts that are
 * nested too deeply; an `OutsideFault` if all turns together take too long.
 */
export const parseJson = async (text: string): Promise<unknown> =>
  text.length <= pieceLength
    ? JSON.parse(text)
    : parsePart(text, trimmed(text, { start: 0, end: text.length }), mostLevels, createPauses(mostMs))

async function parsePart(
  text: string,
  { start, end }: Part,
  levels: number,
  pause: () => Promise<void>,
): Promise<unknown> {
  // Copying a long string takes little time.
  if (end - start <= pieceLength || text[start] === '"') return JSON.parse(text.slice(start, end))
  const brackets = `${text[start]}${text[end - 1]}`
  if (brackets !== '[]' && brackets !== '{}') throw new SyntaxError('What begins with a bracket does not end')
  if (levels === 0) throw new SyntaxError('What is longer than 128 KiB is nested too deeply')
  const made = brackets === '[]' ? listMaker() : objectMaker()
  const parts = await partsOf(text, { start: start + 1, end: end - 1 }, pause)
  for (const part of parts) {
    await pause()
    const inner = text.slice(part.start, part.end)
    if (parts.length > 1 && inner.trim() === '') throw new SyntaxError('Nothing stands beside a comma')
    if (inner.length <= pieceLength) {
      made.addAll(inner)
      continue
    }
    const value = { start: brackets === '{}' ? valueStart(text, part) : part.start, end: part.end }
    const parsed = await parsePart(text, trimmed(text, value), levels - 1, pause)
    made.add(text.slice(part.start, value.start - 1), parsed)
  }
  return made.value
}

/** Collects the members of a list or an object, part by part. */
type Maker = { value: unknown; addAll(members: string): void; add(name: string, value: unknown): void }

function listMaker(): Maker {
  const value: unknown[] = []
  return {
    value,
    addAll(members) {
      for (const item of JSON.parse(`[${members}]`)) value.push(item)
    },
    add: (_name, item) => value.push(item),
  }
}

function objectMaker(): Maker {
  const value: Record<string, unknown> = {}
  const put = (name: string, field: unknown): void => {
    if (name !== '__proto__') value[name] = field
    // An assignment would set the prototype.
    else
      Object.defineProperty(value, name, {
        value: field,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return {
    value,
    addAll(members) {
      for (const [name, field] of Object.entries(JSON.parse(`{${members}}`))) put(name, field)
    },
    add: (name, field) => put(JSON.parse(name), field),
  }
}

/**
 * Splits the text between a pair of brackets at commas. Each part holds as many members as fit into a piece, or one
 * longer member.
 */
async function partsOf(text: string, { start, end }: Part, pause: () => Promise<void>): Promise<Part[]> {
  const parts: Part[] = []
  let depth = 0
  let partStart = start
  let memberStart = start
  let lookedUntil = start
  const endMember = (memberEnd: number): void => {
    // Ends the part before this member if the member would make the part longer than a piece.
    if (memberEnd - partStart > pieceLength && memberStart > partStart) {
      parts.push({ start: partStart, end: memberStart - 1 })
      partStart = memberStart
    }
    if (memberEnd - partStart > pieceLength || memberEnd === end) {
      parts.push({ start: partStart, end: memberEnd })
      partStart = memberEnd + 1
    }
    memberStart = memberEnd + 1
  }
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openingList || code === openingObject) depth++
    else if (code === closingList || code === closingObject) depth--
    else if (code === comma && depth === 0) endMember(at)
    if (at - lookedUntil > pieceLength) {
      lookedUntil = at
      await pause()
    }
  }
  endMember(end)
  return parts
}

/** The end of the string that begins at `start`; the end of the text if the string does not end. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}

/** The position after the colon of a field. */
function valueStart(text: string, { start, end }: Part): number {
  const name = text.indexOf('"', start)
  const at = name === -1 ? -1 : text.indexOf(':', endOfString(text, name))
  if (at === -1 || at >= end || text.charCodeAt(at) !== colon) throw new SyntaxError('A field has no value')
  return at + 1
}

function trimmed(text: string, { start, end }: Part): Part {
  while (start < end && /\s/.test(text[start] ?? '')) start++
  while (end > start && /\s/.test(text[end - 1] ?? '')) end--
  return { start, end }
}
