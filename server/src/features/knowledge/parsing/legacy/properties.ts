/** The summary that old Office files carry beside their content ([MS-OLEPS]). */
import { decodeText } from '../encoding.ts'
import type { Streams } from '../office/compound.ts'
import { decodeWide } from '../sniff.ts'

const summaryName = '\u0005summaryinformation'
const titleProperty = 2
const [ansiText, wideText] = [30, 31]

/** The document's title; null if the summary has none, or is damaged. */
export function titleOfProperties(streams: Streams): string | null {
  try {
    const summary = streams.get(summaryName)?.()
    if (summary === undefined || summary.length < 48) return null
    const section = summary.readUInt32LE(44)
    const count = Math.min(summary.readUInt32LE(section + 4), 100)
    for (let index = 0; index < count; index++) {
      const entry = section + 8 + index * 8
      if (summary.readUInt32LE(entry) !== titleProperty) continue
      const at = section + summary.readUInt32LE(entry + 4)
      return textAt(summary, at)
    }
    return null
  } catch (error) {
    // A summary that points outside of itself: the file's text is read all the same.
    if (error instanceof RangeError) return null
    throw error
  }
}

function textAt(summary: Buffer, at: number): string | null {
  const [kind, length] = [summary.readUInt32LE(at), summary.readUInt32LE(at + 4)]
  const bytes = summary.subarray(at + 8, at + 8 + (kind === wideText ? length * 2 : length))
  const text = kind === wideText ? decodeWide(bytes) : kind === ansiText ? decodeText(bytes) : ''
  const [whole = ''] = text.split('\0')
  return whole
}
