/** JSON to lines that people read: `key: value`, indented as it is nested. Also JSON lines, and values one after the other. */
import { decodeText } from '../encoding.ts'
import type { Reader } from '../reader.ts'
import { jsonRecords } from './json-lines.ts'

export const readJson: Reader = async (source, writer) => {
  const text = decodeText(await source.bytes())
  // Whatever is no JSON, such as with comments or cut off, is read as it stands there: nothing of it is lost.
  const records = jsonRecords(text) ?? [text]
  for (const block of joined(records)) writer.add('code', block)
  return {}
}

/** As much as a chunk holds anyway: a block for each of millions of small records would cost more than its text. */
const blockLength = 1_000

function* joined(records: readonly string[]): Generator<string> {
  let block: string[] = []
  let length = 0
  for (const record of records) {
    if (length + record.length > blockLength && block.length > 0) {
      yield block.join('\n\n')
      block = []
      length = 0
    }
    block.push(record)
    length += record.length
  }
  yield block.join('\n\n')
}
