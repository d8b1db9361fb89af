/** Looks at a model server's bytes as they arrive: what the provider's package would parse for long is cut off before. */

/** Of one event of a stream, or of an answer that is none: vectors of 16 texts come to 3 MB. */
const maxEventBytes = 4 * 1024 * 1024
/** JSON that is nested deeper takes many times as long to parse. */
const maxDepth = 100

const [lineFeed, carriageReturn, quote, backslash] = [0x0a, 0x0d, 0x22, 0x5c]
const [opensList, closesList, opensObject, closesObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Answers the bytes to hand on; null where the answer is more than may be parsed. Carriage returns are left out: they only
 * stand before a line's end, and a line for each of them would be read from the beginning.
 */
export type AnswerGuard = (chunk: Buffer) => Buffer | null

export function createAnswerGuard(): AnswerGuard {
  let eventBytes = 0
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isLineEmpty = true

  return chunk => {
    const kept = chunk.includes(carriageReturn) ? chunk.filter(byte => byte !== carriageReturn) : chunk
    for (const byte of kept) {
      eventBytes++
      if (byte === lineFeed) {
        // An empty line ends an event; no string of JSON goes on in the next line.
        if (isLineEmpty) eventBytes = depth = 0
        isLineEmpty = true
        isInString = isEscaped = false
        continue
      }
      isLineEmpty = false
      if (isEscaped) isEscaped = false
      else if (isInString && byte === backslash) isEscaped = true
      else if (byte === quote) isInString = !isInString
      else if (!isInString && (byte === opensList || byte === opensObject)) depth++
      else if (!isInString && (byte === closesList || byte === closesObject)) depth--
      if (depth > maxDepth || eventBytes > maxEventBytes) return null
    }
    return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  }
}
