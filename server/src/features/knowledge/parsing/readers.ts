/** The reader of each format. A reader is loaded when the first file of its format comes. */

import { ParseFailure } from './failure.ts'
import type { Format } from './formats.ts'
import type { Reader } from './reader.ts'

const picture = async (): Promise<Reader> => (await import('./recognition/read-picture.ts')).readPicture

const oldOffice = async (): Promise<Reader> => (await import('./legacy/old-office.ts')).readOldOffice

const unconverted = async (): Promise<Reader> => async () => {
  throw new ParseFailure('unsupported_type')
}

export const readers: Readonly<Record<Format, () => Promise<Reader>>> = {
  text: async () => (await import('./plain-text.ts')).readPlainText,
  lines: async () => (await import('./plain-text.ts')).readLines,
  csv: async () => (await import('./data/csv.ts')).readCsv,
  json: async () => (await import('./data/json.ts')).readJson,
  notebook: async () => (await import('./data/notebook.ts')).readNotebook,
  xml: async () => (await import('./data/xml.ts')).readXml,
  calendar: async () => (await import('./data/calendar.ts')).readCalendar,
  subtitles: async () => (await import('./data/subtitles.ts')).readSubtitles,
  mail: async () => (await import('./mail/mail.ts')).readMail,
  mhtml: async () => (await import('./mail/mail.ts')).readMhtml,
  mbox: async () => (await import('./mail/mbox.ts')).readMbox,
  outlook: async () => (await import('./mail/outlook.ts')).readOutlook,
  rtf: async () => (await import('./rtf/rtf.ts')).readRtf,
  markdown: async () => (await import('./markdown.ts')).readMarkdown,
  rst: async () => (await import('./markup/rst.ts')).readRst,
  asciidoc: async () => (await import('./markup/asciidoc.ts')).readAsciidoc,
  org: async () => (await import('./markup/org.ts')).readOrg,
  html: async () => (await import('./html.ts')).readHtml,
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: async () => (await import('./office/docx.ts')).readDocx,
  xlsx: async () => (await import('./office/xlsx.ts')).readXlsx,
  pptx: async () => (await import('./office/pptx.ts')).readPptx,
  odt: async () => (await import('./office/odf.ts')).readOdf,
  ods: async () => (await import('./office/odf.ts')).readOdf,
  odp: async () => (await import('./office/odf.ts')).readOdf,
  epub: async () => (await import('./office/epub.ts')).readEpub,
  png: picture,
  jpeg: picture,
  gif: picture,
  tiff: picture,
  webp: picture,
  doc: oldOffice,
  xls: oldOffice,
  ppt: oldOffice,
  iwork: unconverted,
  heic: unconverted,
  mp3: unconverted,
  m4a: unconverted,
  wav: unconverted,
  ogg: unconverted,
  flac: unconverted,
  mp4: unconverted,
  mov: unconverted,
  mkv: unconverted,
  avi: unconverted,
}
