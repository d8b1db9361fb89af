/** Messages as Outlook saves them, written by the library that reads them: an OLE2 file of properties. */
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js'

/** Kinds of entries in an OLE2 file, [MS-CFB] 2.6.1. */
const folder = 1
const stream = 2
const root = 5

export type OutlookFile = {
  subject?: string
  body?: string
  html?: string
  compressedRtf?: Buffer
  senderName?: string
  senderEmail?: string
  recipients?: { name: string; email: string }[]
  attachments?: { name: string; content: Buffer }[]
}

export function outlookFileOf(message: OutlookFile): Buffer {
  const entries: Entry[] = [{ name: 'Root Entry', type: root, length: 0, children: [] }]
  const add = (parent: number, entry: Entry): number => {
    const index = entries.push(entry) - 1
    entries[parent]?.children?.push(index)
    return index
  }
  const addStream = (parent: number, name: string, bytes: Buffer): void => {
    add(parent, { name, type: stream, length: bytes.length, binaryProvider: () => Uint8Array.from(bytes) })
  }
  const addText = (parent: number, property: string, text: string | undefined): void => {
    if (text !== undefined) addStream(parent, `__substg1.0_${property}001F`, Buffer.from(text, 'utf16le'))
  }
  const addBytes = (parent: number, property: string, bytes: Buffer | undefined): void => {
    if (bytes !== undefined) addStream(parent, `__substg1.0_${property}0102`, bytes)
  }
  const addFolder = (name: string): number => add(0, { name, type: folder, length: 0, children: [] })

  addStream(0, '__properties_version1.0', Buffer.alloc(32))
  addText(0, '0037', message.subject)
  addText(0, '1000', message.body)
  addText(0, '1013', message.html)
  addText(0, '0C1A', message.senderName)
  addText(0, '5D01', message.senderEmail)
  addBytes(0, '1009', message.compressedRtf)
  for (const [index, { name, email }] of (message.recipients ?? []).entries()) {
    const recipient = addFolder(`__recip_version1.0_#${String(index).padStart(8, '0')}`)
    addText(recipient, '3001', name)
    addText(recipient, '39FE', email)
  }
  for (const [index, { name, content }] of (message.attachments ?? []).entries()) {
    const attachment = addFolder(`__attach_version1.0_#${String(index).padStart(8, '0')}`)
    addText(attachment, '3707', name)
    addBytes(attachment, '3701', content)
  }
  return Buffer.from(burn(entries))
}
