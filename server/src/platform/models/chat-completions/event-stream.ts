/** Reads server-sent events from a model server's answer as its bytes come, without a web stream between. */
import { StringDecoder } from 'node:string_decoder'
import { ModelAnswer } from '../model-answer.ts'

/** Reads piece by piece: returns the data of each event that a piece completes. What the end cuts off is no event. */
export function createEventReader(): (bytes: Buffer) => string[] {
  const decoder = new StringDecoder('utf8')
  /** Of a line whose end has not come: put together once, or a line in small pieces would be copied for each. */
  let begun: string[] = []
  let data: string[] = []

  return bytes => {
    const events: string[] = []
    const text = decoder.write(bytes)
    let from = 0
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      begun.push(text.slice(from, to))
      from = to + 1
      const line = begun.length === 1 ? (begun[0] ?? '') : begun.join('')
      begun = []
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line === '' && data.length > 0) {
        events.push(data.join('\n'))
        data = []
      }
    }
    if (from < text.length) begun.push(text.slice(from))
    return events
  }
}

/** The bytes of an answer; of one that came another way than by `createModelFetch`, by its stream. */
export const bytesOf = (
  answer: object & { body: AsyncIterable<Uint8Array> | null },
): AsyncIterable<Buffer> => (answer instanceof ModelAnswer ? answer.arriving : pieces(answer.body))

async function* pieces(stream: AsyncIterable<Uint8Array> | null): AsyncGenerator<Buffer> {
  for await (const piece of stream ?? []) yield Buffer.from(piece)
}
