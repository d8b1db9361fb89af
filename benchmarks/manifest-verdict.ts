/** Whether a file came out as its line of the manifest expects. */
import { conditionsOf, type Outcome } from './manifest-conditions.ts'

export type Line = { file: string; format: string; expected: string; words: string }

/** `code` is the status of a refusal, else the document's error. */
export type Got = Outcome & { code: string }

/** What is wrong with it; nothing where it came out as expected. */
export async function faultsOf(line: Line, got: Got): Promise<string[]> {
  const faults: (string | null)[] = [judges[line.expected]?.(line, got) ?? null]
  if (got.text === null && got.message === '') faults.push('no message says why')
  if (unclear.has(got.code) || /^5/.test(got.code)) faults.push(`${got.code} is no clear outcome`)
  for (const condition of conditionsOf(line.file)) faults.push(await condition(got))
  return faults.filter(fault => fault !== null)
}

/** Final states and errors that do not say what is wrong with the file. */
const unclear: ReadonlySet<string> = new Set([
  'parser_crashed',
  'processing_failed',
  'queued',
  'parsing',
  'indexing',
])

type Judge = (line: Line, got: Got) => string | null

const readable: Judge = ({ words }, { text, code }) => {
  if (text === null) return `was refused: ${code}`
  return words === '' || holds(text, words) ? null : `lacks "${words}"`
}

const refused: Judge = (_line, { text }) => (text === null ? null : 'was read')

const judges: Readonly<Record<string, Judge>> = {
  text: readable,
  'text-if-charset-detected': readable,
  'text-if-format-supported': (line, got) => (got.code === '415' ? null : readable(line, got)),
  // Its words say which of the two is better, and are shown.
  'text-or-reject': () => null,
  'empty-or-reject': (_line, { text }) => (text === null || text.trim() === '' ? null : 'has a text'),
  reject: refused,
}

/** Line ends, columns and compatible forms of letters are the reader's choice. */
export const holds = (text: string, words: string): boolean => folded(text).includes(folded(words))

const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ')

export const expectations: readonly string[] = Object.keys(judges)
