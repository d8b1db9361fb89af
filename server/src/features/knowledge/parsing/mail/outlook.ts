/** Messages as Outlook saves them (.msg): an OLE2 file of properties, whose body may be text, HTML or compressed RTF. */
import library, { type FieldsData } from '@kenjiuno/msgreader'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import type { Reader } from '../reader.ts'
import { writeRtf } from '../rtf/rtf.ts'
import { type Attachment, type Message, writeMessage } from './message.ts'

/** The package is a CommonJS module, whose default export is one of its named exports. */
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

/** Old messages name their code page: the file is read once to find the code page, and again to decode the text. */
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

/** The encoding as the library names it; undefined if the library needs none. */
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
      .filter(attachment => !isHidden(attachment))
      .map(attachment => attachmentOf(file, attachment)),
    pictures: (fields.attachments ?? []).filter(isHidden).length,
  }
}

/** Pictures that the message itself shows. */
const isHidden = ({ attachmentHidden }: FieldsData): boolean => attachmentHidden === true

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

// RTF as Outlook compresses it in messages ([MS-OXRTFCP]): LZ77 with a dictionary that is filled at the start.

/** Throws `corrupt` or `archive_bomb`. Input that is cut off behind the header is unpacked as far as it goes. */
export function decompressRtf(packed: Uint8Array): Buffer {
  const input = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  if (input.length < headerBytes) throw new ParseFailure('corrupt')
  const rawBytes = input.readUInt32LE(4)
  const kind = input.readUInt32LE(8)
  if (rawBytes > maxRawBytes) throw new ParseFailure('archive_bomb')
  if (kind === stored) return input.subarray(headerBytes, headerBytes + rawBytes)
  if (kind !== compressed) throw new ParseFailure('corrupt')
  return unpack(input.subarray(headerBytes), rawBytes)
}

const headerBytes = 16
const maxRawBytes = 20_000_000
/** The signatures "LZFu" and "MELA". */
const compressed = 0x75465a4c
const stored = 0x414c454d

const dictionaryBytes = 4_096
const firstWords = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
)

/** Each control byte tells which of eight items are bytes and which are references: 12 bits of place, 4 of length. */
function unpack(input: Buffer, rawBytes: number): Buffer {
  const dictionary = Buffer.alloc(dictionaryBytes)
  firstWords.copy(dictionary)
  let writeAt = firstWords.length
  const output = Buffer.alloc(rawBytes)
  let outputBytes = 0
  const put = (byte: number): void => {
    dictionary[writeAt] = byte
    writeAt = (writeAt + 1) % dictionaryBytes
    if (outputBytes < rawBytes) output[outputBytes++] = byte
  }
  let at = 0
  while (at < input.length && outputBytes < rawBytes) {
    const control = input[at++] ?? 0
    for (let bit = 0; bit < 8 && at < input.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(input[at++] ?? 0)
        continue
      }
      if (at + 2 > input.length) return output.subarray(0, outputBytes)
      const reference = input.readUInt16BE(at)
      at += 2
      const place = reference >> 4
      if (place === writeAt) return output.subarray(0, outputBytes)
      for (let step = 0; step < (reference & 15) + 2; step++) {
        put(dictionary[(place + step) % dictionaryBytes] ?? 0)
      }
    }
  }
  return output.subarray(0, outputBytes)
}
