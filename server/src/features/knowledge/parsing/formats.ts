/** The formats that can be read: how a reply names them, and what each may take. */

type AboutFormat = {
  mediaType: string
  /** For people. */
  label: string
  /** Files up to this size are read in the server, where they need not wait for a child: whatever is in them, it takes 50 ms at most. */
  serverBytes?: number
  /** Its text can only be recognised, where the operator has set that up. */
  isPicture?: true
}

const table = {
  text: { mediaType: 'text/plain', label: 'plain text', serverBytes: 65_536 },
  lines: { mediaType: 'text/plain', label: 'source code', serverBytes: 65_536 },
  markdown: { mediaType: 'text/markdown', label: 'Markdown' },
  html: { mediaType: 'text/html', label: 'HTML' },
  csv: { mediaType: 'text/csv', label: 'CSV', serverBytes: 2_048 },
  json: { mediaType: 'application/json', label: 'JSON', serverBytes: 65_536 },
  notebook: { mediaType: 'application/x-ipynb+json', label: 'Jupyter notebook' },
  xml: { mediaType: 'application/xml', label: 'XML', serverBytes: 2_048 },
  calendar: { mediaType: 'text/calendar', label: 'calendar (iCalendar)' },
  subtitles: { mediaType: 'application/x-subrip', label: 'subtitles (SubRip, WebVTT)' },
  mail: { mediaType: 'message/rfc822', label: 'e-mail' },
  mhtml: { mediaType: 'multipart/related', label: 'web page archive (MHTML)' },
  mbox: { mediaType: 'application/mbox', label: 'mailbox (mbox)' },
  outlook: { mediaType: 'application/vnd.ms-outlook', label: 'Outlook message (MSG)' },
  rtf: { mediaType: 'application/rtf', label: 'RTF' },
  pdf: { mediaType: 'application/pdf', label: 'PDF' },
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    label: 'Word (DOCX)',
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    label: 'Excel (XLSX)',
  },
  pptx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    label: 'PowerPoint (PPTX)',
  },
  odt: { mediaType: 'application/vnd.oasis.opendocument.text', label: 'OpenDocument text (ODT)' },
  ods: {
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    label: 'OpenDocument spreadsheet (ODS)',
  },
  odp: {
    mediaType: 'application/vnd.oasis.opendocument.presentation',
    label: 'OpenDocument presentation (ODP)',
  },
  epub: { mediaType: 'application/epub+zip', label: 'EPUB' },
  png: { mediaType: 'image/png', label: 'PNG image', isPicture: true },
  jpeg: { mediaType: 'image/jpeg', label: 'JPEG image', isPicture: true },
  gif: { mediaType: 'image/gif', label: 'GIF image', isPicture: true },
  tiff: { mediaType: 'image/tiff', label: 'TIFF image', isPicture: true },
  webp: { mediaType: 'image/webp', label: 'WebP image', isPicture: true },
} as const satisfies Record<string, AboutFormat>

export type Format = keyof typeof table

export const formats: Readonly<Record<Format, AboutFormat>> = table

/** What a reply names where a file is refused. */
export const supportedTypes = (): string[] => [
  ...new Set(Object.values(formats).map(({ mediaType }) => mediaType)),
]

export type Sniffed = { format: Format } | { format: null; seemsToBe: string }
