/**
 * Which files of a drive become documents, and as what.
 * Exports: https://developers.google.com/workspace/drive/api/guides/ref-export-formats
 */

export const folderType = 'application/vnd.google-apps.folder'
export const shortcutType = 'application/vnd.google-apps.shortcut'

export type Export = { mediaType: string; extension: string }

const plainText: Export = { mediaType: 'text/plain', extension: '.txt' }
const office = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`

/**
 * The formats in which Google's own documents are exported, the best first. The next one is used if an export is too
 * large.
 */
const exportsByType: Readonly<Record<string, readonly [Export, ...Export[]]>> = {
  'application/vnd.google-apps.document': [
    { mediaType: office('wordprocessingml.document'), extension: '.docx' },
    plainText,
  ],
  // As text, a spreadsheet would be only its first sheet.
  'application/vnd.google-apps.spreadsheet': [
    { mediaType: office('spreadsheetml.sheet'), extension: '.xlsx' },
  ],
  'application/vnd.google-apps.presentation': [
    { mediaType: office('presentationml.presentation'), extension: '.pptx' },
    plainText,
  ],
  'application/vnd.google-apps.drawing': [{ mediaType: 'application/pdf', extension: '.pdf' }],
}

/** The text formats in which agents get Google's own documents, which are not stored in any format. */
const textsByType: Readonly<Record<string, string>> = {
  'application/vnd.google-apps.document': 'text/plain',
  'application/vnd.google-apps.presentation': 'text/plain',
  'application/vnd.google-apps.spreadsheet': 'text/csv',
}

const readableTypes: ReadonlySet<string> = new Set([
  ...[office('wordprocessingml.document'), office('spreadsheetml.sheet')],
  office('presentationml.presentation'),
  'application/epub+zip',
  'application/json',
  'application/mbox',
  'application/pdf',
  'application/rtf',
  'application/vnd.ms-outlook',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.text',
  'application/x-subrip',
  'application/xml',
  'message/rfc822',
  'multipart/related',
])

/** The readable file extensions, for files to which Google gives no type. */
const readableExtensions =
  /\.(?:csv|do[ct][mx]|eml|epub|html?|ipynb|json|md|mbox|mhtml?|msg|od[pst]|pdf|p[op][st]x|pptm|rtf|srt|txt|vtt|xl[st][mx]|xml)$/i

export function exportsOf(mimeType: string): readonly [Export, ...Export[]] | null {
  return exportsByType[mimeType] ?? null
}

/** Whether a document can be made of the file. */
export function isReadable({ mimeType, name }: { mimeType: string; name: string }): boolean {
  if (exportsOf(mimeType) !== null || readableTypes.has(mimeType)) return true
  return isText(mimeType) || (mimeType === 'application/octet-stream' && readableExtensions.test(name))
}

/**
 * How a file is read as text: `exportAs` is null if the file already is text. Null if the file cannot be read as
 * text.
 */
export function textOf(mimeType: string): { exportAs: string | null } | null {
  const exportAs = textsByType[mimeType]
  if (exportAs !== undefined) return { exportAs }
  return isText(mimeType) || /^application\/(?:json|xml)$/.test(mimeType) ? { exportAs: null } : null
}

const isText = (mimeType: string): boolean => mimeType.startsWith('text/')
