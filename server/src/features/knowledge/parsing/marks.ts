/** How marks of a text are written, in each format alike. */
import { onOneLine } from './text-writer.ts'

/** In front of raised and lowered text, and on both sides of struck text. */
export const signs = { raised: '^', lowered: '_', struck: '~~' } as const

/** A blank around the text stays outside. */
export const marked = {
  raised: (text: string): string => around(text, inner => signs.raised + inner),
  lowered: (text: string): string => around(text, inner => signs.lowered + inner),
  struck: (text: string): string => around(text, inner => signs.struck + inner + signs.struck),
  ruby: (reading: string): string => (reading === '' ? '' : `(${reading})`),
  checkbox: (isChecked: boolean): string => (isChecked ? '[x] ' : '[ ] '),
  /** The address stands behind the text, unless it is the text. */
  link(text: string, target: string | null): string {
    const address = target === null ? null : addressOf(target)
    const shown = onOneLine(text)
    if (address === null || shown === '') return text
    const isShown = shown.replace(/^https?:\/\/|\/$/g, '') === address.replace(/^https?:\/\/|\/$/g, '')
    return isShown ? text : `${text.trimEnd()} (${address})`
  },
}

function around(text: string, mark: (inner: string) => string): string {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  return text.slice(0, start) + mark(inner) + text.slice(start + inner.length)
}

const longestAddress = 500

/** Null for a place within the document or its site, which means nothing elsewhere. */
function addressOf(target: string): string | null {
  const trimmed = target.trim()
  if (trimmed.length > longestAddress) return null
  const [, mail] = /^mailto:([^?]+)/i.exec(trimmed) ?? []
  if (mail !== undefined) return mail
  const [, phone] = /^tel:(.+)/i.exec(trimmed) ?? []
  if (phone !== undefined) return phone
  return /^(https?|ftp):\/\//i.test(trimmed) ? trimmed : null
}

export type RunMark = { place: 'raised' | 'lowered' | null; isStruck: boolean }

const plain: RunMark = { place: null, isStruck: false }

/** For formats that write a text in runs, each with its own mark: neighbouring runs of one mark share its signs. */
export function createRunMarks(say: (text: string) => void) {
  let wanted = plain
  let current = plain
  return {
    beginRun(): void {
      wanted = plain
    },
    set(change: Partial<RunMark>): void {
      wanted = { ...wanted, ...change }
    },
    text(text: string): void {
      if (wanted.isStruck !== current.isStruck) say(signs.struck)
      if (wanted.place !== current.place && wanted.place !== null) say(signs[wanted.place])
      current = wanted
      say(text)
    },
    endParagraph(): void {
      if (current.isStruck) say(signs.struck)
      current = plain
      wanted = plain
    },
  }
}
