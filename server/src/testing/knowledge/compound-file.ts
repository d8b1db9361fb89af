/** Objects as Office embeds them (OLE), written by the library that reads messages: compound files of streams. */
import { burn } from '@kenjiuno/msgreader/lib/Burner.js'

/** Kinds of entries in a compound file, [MS-CFB] 2.6.1. */
const stream = 2
const root = 5

export const compoundOf = (streams: Record<string, Buffer>): Buffer =>
  Buffer.from(
    burn([
      { name: 'Root Entry', type: root, length: 0, children: Object.keys(streams).map((_, i) => i + 1) },
      ...Object.entries(streams).map(([name, bytes]) => ({
        name,
        type: stream,
        length: bytes.length,
        binaryProvider: () => Uint8Array.from(bytes),
      })),
    ]),
  )

/** A file as Windows packs it into an object; `name` is in Unicode, and as well as may be in ASCII. */
export function packedFileOf(name: string, content: Buffer, statedBytes = content.length): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const wide = (text: string): Buffer => Buffer.concat([number(text.length), Buffer.from(text, 'utf16le')])
  const plain = name.replace(/[^ -~]/g, '?')
  const packed = Buffer.concat([
    Buffer.from(`\x02\x00${plain}\0C:\\Users\\somebody\\${plain}\0\0\0\x03\0`, 'latin1'),
    number(plain.length + 8),
    Buffer.from(`C:\\Temp\\${plain}\0`, 'latin1').subarray(0, plain.length + 9),
    number(statedBytes),
    content,
    wide(`C:\\Temp\\${name}`),
    wide(name),
    wide(`C:\\Users\\somebody\\${name}`),
  ])
  return compoundOf({ '\u0001Ole10Native': Buffer.concat([number(packed.length), packed]) })
}
