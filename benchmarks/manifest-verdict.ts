/** Whether a file came out as its line of the manifest expects. */
import { existsSync } from 'node:fs'

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

// What the manifest's `note` column asks of single files beyond their words, each as a check of the outcome.

type Outcome = {
  /** All of the document's text; null if the file was refused or failed. */
  text: string | null
  pageCount: number | null
  /** What the reply or the document says where there is no text. */
  message: string
  /** Whether a search for these words finds the document. */
  finds: (words: string) => Promise<boolean>
}

/** Returns what is wrong; null if the condition holds. */
type Condition = (outcome: Outcome) => string | null | Promise<string | null>

/** The conditions of a file; none for most. */
const conditionsOf = (file: string): readonly Condition[] => conditions[file] ?? []

const contains =
  (...wanted: string[]): Condition =>
  ({ text }) =>
    missing(text, wanted)

const lacks =
  (...unwanted: string[]): Condition =>
  ({ text }) => {
    const found = unwanted.find(words => text?.includes(words))
    return found === undefined ? null : `holds "${found}"`
  }

const inOrder =
  (first: string, second: string): Condition =>
  ({ text }) =>
    text === null || text.indexOf(first) < text.indexOf(second) ? null : `"${first}" is behind "${second}"`

const pages =
  (count: number): Condition =>
  ({ pageCount }) =>
    pageCount === count ? null : `has ${pageCount} pages instead of ${count}`

const wroteNothingAt =
  (path: string): Condition =>
  () =>
    existsSync(path) ? `${path} was written` : null

const searchedBy =
  (...queries: string[]): Condition =>
  async ({ finds }) => {
    for (const query of queries) if (!(await finds(query))) return `a search for "${query}" does not find it`
    return null
  }

const missing = (text: string | null, wanted: readonly string[]): string | null => {
  const lost = text === null ? undefined : wanted.find(words => !text.includes(words))
  return lost === undefined ? null : `lacks "${lost}"`
}

const conditions: Readonly<Record<string, readonly Condition[]>> = {
  'testPDF_bookmarks.pdf': [pages(2)],
  'testPDF_acroform3.pdf': [pages(1)],
  'testWORD_various.doc': [contains('Footnote appears here')],
  'testPPT_diagramData.pptx': [contains('President')],
  'testEXCEL_big_numbers.xlsx': [lacks('1.23E+14', '1.23456789012345E+14')],
  'testEXCEL_phonetic.xlsx': [lacks('豊田トヨ', '会社カイシャ')],
  'testXXE.xml': [lacks('root:', 'couldnt_possibly_exist')],
  'testRTFWindowsCodepage1250.rtf': [contains('zażółć gęślą jaźń')],
  'english.cp500.txt': [contains('IntelliStation POWER', 'Small business resource center')],
  'testICalendar.ics': [contains('Susi Hyldgaard', 'Montréal', 'Banque Nationale Stage')],
  'testUserDefinedCharset.mhtml': [lacks('NextPart')],
  'gen-xxe.docx': [lacks('root:')],
  'gen-billion-laughs.docx': [lacks('lollol')],
  'gen-zipslip.docx': [wroteNothingAt('/tmp/evil.txt')],
  'gen-split-runs.docx': [contains('insertedword'), lacks('deletedword')],
  'gen-bidi-override.txt': [searchedBy('zerowidth', 'softhyphen', 'financial', 'étude')],
  'gen-encoded.eml': [contains('Quartalszahlen für Köln')],
  'gen-spine.epub': [contains('marker-two'), inOrder('marker-one', 'marker-two')],
  'gen-formula.csv': [contains('marker-csv')],
  'gen-emoji.md': [contains('🚀', '𠮷野家')],
}
