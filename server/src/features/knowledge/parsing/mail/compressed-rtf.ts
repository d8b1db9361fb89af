/** RTF as Outlook packs it into messages: [MS-OXRTFCP], of the LZ77 family, with a dictionary that begins filled. */
import { ParseFailure } from '../failure.ts'

/** Throws `corrupt` or `archive_bomb`. What is cut off behind the header comes out as far as it is there. */
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

/** Each control byte says of eight items which are bytes and which are references: 12 bits of place, 4 of length. */
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
