/** What the manifest's `note` column asks of single files beyond their words, each as a check of the outcome. */
import { existsSync } from 'node:fs'

export type Outcome = {
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
export const conditionsOf = (file: string): readonly Condition[] => conditions[file] ?? []

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
