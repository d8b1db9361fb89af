/** The formats that can be read: their names in replies, and what each one needs. */

type AboutFormat = {
  mediaType: string
  /** For people. */
  label: string
  /** Files up to this size are read in the server, without waiting for a child. Reading one takes 50 ms at most. */
  serverBytes?: number
  /** Read in one piece: a file larger than any text may be is refused before it is stored. */
  isWhole?: true
  /** Its text can only be read by recognition (OCR), if the operator has set that up. */
  isPicture?: true
  /** The kind of file for a program that converts what no reader reads, if the operator has set one up. */
  conversion?: Conversion
  /** Its reader reads all but the oldest files, which are left to the program. */
  hasReader?: true
}

/** Kinds of files that no reader reads: a description for people, with what to do instead. */
export const conversions = {
  doc: 'a Word document of before 1997 (save it as .docx)',
  xls: 'an Excel workbook of before 1993 (save it as .xlsx)',
  ppt: 'a PowerPoint presentation of before 1997 (save it as .pptx)',
  iwork: 'an Apple iWork document (export it as .docx, .xlsx, .pptx or PDF)',
  heic: 'a HEIC picture (save it as JPEG or PNG)',
  audio: 'a sound recording (upload a transcript, such as .txt, .srt or .vtt)',
  video: 'a video (upload its subtitles as .srt or .vtt, or a transcript)',
} as const

export type Conversion = keyof typeof conversions

const table = {
  text: { mediaType: 'text/plain', label: 'plain text', serverBytes: 65_536, isWhole: true },
  lines: { mediaType: 'text/plain', label: 'source code', serverBytes: 65_536, isWhole: true },
  markdown: { mediaType: 'text/markdown', label: 'Markdown', isWhole: true },
  rst: { mediaType: 'text/x-rst', label: 'reStructuredText', isWhole: true },
  asciidoc: { mediaType: 'text/asciidoc', label: 'AsciiDoc', isWhole: true },
  org: { mediaType: 'text/x-org', label: 'Org', isWhole: true },
  html: { mediaType: 'text/html', label: 'HTML', isWhole: true },
  csv: { mediaType: 'text/csv', label: 'CSV', serverBytes: 2_048, isWhole: true },
  json: { mediaType: 'application/json', label: 'JSON', serverBytes: 65_536, isWhole: true },
  notebook: { mediaType: 'application/x-ipynb+json', label: 'Jupyter notebook', isWhole: true },
  xml: { mediaType: 'application/xml', label: 'XML', serverBytes: 2_048, isWhole: true },
  calendar: { mediaType: 'text/calendar', label: 'calendar (iCalendar)', isWhole: true },
  subtitles: { mediaType: 'application/x-subrip', label: 'subtitles (SubRip, WebVTT)', isWhole: true },
  mail: { mediaType: 'message/rfc822', label: 'e-mail', isWhole: true },
  mhtml: { mediaType: 'multipart/related', label: 'web page archive (MHTML)', isWhole: true },
  mbox: { mediaType: 'application/mbox', label: 'mailbox (mbox)' },
  outlook: { mediaType: 'application/vnd.ms-outlook', label: 'Outlook message (MSG)', isWhole: true },
  rtf: { mediaType: 'application/rtf', label: 'RTF', isWhole: true },
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
  doc: { mediaType: 'application/msword', label: 'Word (DOC)', conversion: 'doc', hasReader: true },
  xls: { mediaType: 'application/vnd.ms-excel', label: 'Excel (XLS)', conversion: 'xls', hasReader: true },
  ppt: {
    mediaType: 'application/vnd.ms-powerpoint',
    label: 'PowerPoint (PPT)',
    conversion: 'ppt',
    hasReader: true,
  },
  iwork: {
    mediaType: 'application/vnd.apple.iwork',
    label: 'Apple Pages, Numbers, Keynote',
    conversion: 'iwork',
  },
  heic: { mediaType: 'image/heic', label: 'HEIC image', conversion: 'heic' },
  mp3: { mediaType: 'audio/mpeg', label: 'MP3', conversion: 'audio' },
  m4a: { mediaType: 'audio/mp4', label: 'MPEG-4 audio', conversion: 'audio' },
  wav: { mediaType: 'audio/wav', label: 'WAV', conversion: 'audio' },
  ogg: { mediaType: 'audio/ogg', label: 'Ogg', conversion: 'audio' },
  flac: { mediaType: 'audio/flac', label: 'FLAC', conversion: 'audio' },
  mp4: { mediaType: 'video/mp4', label: 'MPEG-4 video', conversion: 'video' },
  mov: { mediaType: 'video/quicktime', label: 'QuickTime video', conversion: 'video' },
  mkv: { mediaType: 'video/x-matroska', label: 'Matroska, WebM', conversion: 'video' },
  avi: { mediaType: 'video/x-msvideo', label: 'AVI', conversion: 'video' },
} as const satisfies Record<string, AboutFormat>

export type Format = keyof typeof table

export const formats: Readonly<Record<Format, AboutFormat>> = table

/** The media types that a refusal names. `converted` holds the kinds that the operator's program takes. */
export const supportedTypes = (converted: ReadonlySet<Conversion>): string[] => [
  ...new Set(
    Object.values(formats)
      .filter(
        ({ conversion, hasReader }) => conversion === undefined || hasReader || converted.has(conversion),
      )
      .map(({ mediaType }) => mediaType),
  ),
]

/** `isArchive` is true of a zip that holds files of any kind. */
export type Sniffed = { format: Format } | { format: null; seemsToBe: string; isArchive?: true }

/** Like `sniffed`, but without a format if the program that converts such files is not set up. */
export function takenOf(sniffed: Sniffed, converted: ReadonlySet<Conversion>): Sniffed {
  if (sniffed.format === null) return sniffed
  const { conversion, hasReader } = formats[sniffed.format]
  const isTaken = conversion === undefined || hasReader || converted.has(conversion)
  return isTaken ? sniffed : { format: null, seemsToBe: conversions[conversion] }
}
