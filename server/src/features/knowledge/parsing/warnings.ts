/** What a reader could not read of a file, counted by kind: a document that is `ready` says what its text lacks. */

/** Each kind of loss, as the guide names it. */
export const warningKinds = {
  pages_without_text:
    'pages of a PDF from which no text was read: scans, blank pages, letters without a meaning',
  page_not_read: 'damaged pages that were left out',
  pictures_not_read: 'pictures, whose text is not read',
  attachment_not_read: 'files within the file that are only named, or whose text is missing',
  files_left_out: 'files within the file beyond the number that is listed',
  formula_flattened: 'formulas whose text lacks a part of their structure',
  part_not_read: 'parts of the file that could not be read',
  text_cut: 'parts whose text was cut off at a limit',
  lines_added: 'lines that found no place in the layout of their page and follow it',
} as const

export type WarningCode = keyof typeof warningKinds

/** `pages` are the first pages concerned, ascending; empty if the format has none. `count` counts the losses. */
export type Warning = { code: WarningCode; count: number; pages: number[] }

/** Notes a loss, or `count` losses of one kind. */
export type Warn = (code: WarningCode, about?: { page?: number | undefined; count?: number }) => void

/** A list of warnings has at most this many pages for each code. */
export const maxWarningPages = 100

/** Collects warnings while a file is read. */
export function createWarnings() {
  const found = new Map<WarningCode, { count: number; pages: Set<number> }>()
  const warn: Warn = (code, { page, count = 1 } = {}) => {
    if (count < 1) return
    const known = found.get(code) ?? { count: 0, pages: new Set() }
    known.count += count
    if (page !== undefined && known.pages.size < maxWarningPages) known.pages.add(page)
    found.set(code, known)
  }
  return {
    warn,
    list: (): Warning[] =>
      [...found].map(([code, { count, pages }]) => ({
        code,
        count,
        pages: [...pages].sort((one, other) => one - other),
      })),
  }
}

/** Counts losses of a file within the file: its pages are not pages of the document. */
export const warnWithoutPages =
  (warn: Warn, page?: number): Warn =>
  (code, about) =>
    warn(code, { ...about, page })
