/** Messages as Outlook saves them (.msg): an OLE2 file of properties, whose body may be text, HTML or compressed RTF. */
import library, { type FieldsData } from '@kenjiuno/msgreader'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import type { Reader } from '../reader.ts'
import { writeRtf } from '../rtf/rtf.ts'
import { decompressRtf } from './compressed-rtf.ts'
import { type Attachment, type Message, writeMessage } from './message.ts'

/** The package is of the older kind, whose default export is one of its names. */
const MsgReader = library.default
type MsgReader = InstanceType<typeof MsgReader>

export const readOutlook: Reader = async (source, writer) => {
  const message = parseOutlook(await source.bytes())
  await writeMessage(message, source, writer)
  return { title: message.subject }
}

function parseOutlook(bytes: Buffer): Message {
  try {
    const file = openFile(bytes)
    const fields = file.getFileData()
    if (fields.error !== undefined) throw new ParseFailure('corrupt')
    return messageOf(file, fields)
  } catch (error) {
    throw error instanceof ParseFailure ? error : new ParseFailure('corrupt', undefined, error)
  }
}

/** Old messages are in the code page that they name, which is known once they were read. */
function openFile(bytes: Buffer): MsgReader {
  const content = Uint8Array.from(bytes).buffer
  const first = new MsgReader(content)
  const codePage = first.getFileData().messageCodepage
  const encoding = codePage === undefined ? undefined : encodingOf(codePage)
  if (encoding === undefined) return first
  const file = new MsgReader(content)
  file.parserConfig = { ansiEncoding: encoding }
  return file
}

/** Named as the library names encodings. */
function encodingOf(codePage: number): string | undefined {
  if (codePage === 65_001) return 'utf8'
  return codePage === 1200 || codePage === 20_127 ? undefined : `cp${codePage}`
}

function messageOf(file: MsgReader, fields: FieldsData): Message {
  const recipients = (kind: string): string =>
    (fields.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === kind)
      .map(({ name, smtpAddress, email }) => addressed(name, smtpAddress ?? email))
      .join(', ')
  return {
    subject: fields.subject ?? null,
    headers: [
      { name: 'From', value: addressed(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail) },
      { name: 'To', value: recipients('to') },
      { name: 'Cc', value: recipients('cc') },
      { name: 'Date', value: fields.clientSubmitTime ?? fields.messageDeliveryTime ?? '' },
      { name: 'Start', value: fields.apptStartWhole ?? '' },
      { name: 'End', value: fields.apptEndWhole ?? '' },
      { name: 'Company', value: fields.companyName ?? '' },
    ],
    text: textOf(fields),
    html: fields.bodyHtml ?? (fields.html === undefined ? null : decodeText(fields.html)),
    attachments: (fields.attachments ?? [])
      .filter(({ attachmentHidden }) => attachmentHidden !== true)
      .map(attachment => attachmentOf(file, attachment)),
  }
}

/** Addresses within an Exchange server ("/O=…") say nothing to people. */
function addressed(name = '', address = ''): string {
  if (address === '' || address === name || address.startsWith('/')) return name
  return name === '' ? address : `${name} <${address}>`
}

function textOf({ body, compressedRtf }: FieldsData): string | null {
  if (body !== undefined && body.trim() !== '') return body
  if (compressedRtf === undefined) return null
  const blocks: string[] = []
  writeRtf(decompressRtf(compressedRtf), { add: (_kind, text) => blocks.push(text) })
  return blocks.join('\n\n')
}

function attachmentOf(file: MsgReader, fields: FieldsData): Attachment {
  const name = fields.fileName ?? fields.fileNameShort ?? fields.name ?? 'unnamed'
  const isMessage = fields.innerMsgContent === true
  return {
    name: isMessage && !name.endsWith('.msg') ? `${name}.msg` : name,
    bytes: () => Buffer.from(file.getAttachment(fields).content ?? new Uint8Array()),
  }
}
