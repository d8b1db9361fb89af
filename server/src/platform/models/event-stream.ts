/** Reads server-sent events from a model server's answer as its bytes come, without a web stream between. */
import { StringDecoder } from 'node:string_decoder'
import { type ArrivingBytes, ModelAnswer } from './model-answer.ts'

/** The data of each event. An event that the end cuts off is none. */
export async function* eventsOf(answer: Response): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  /** Of a line whose end has not come: put together once, or a line in small pieces would be copied for each. */
  let begun: string[] = []
  let data: string[] = []
  for await (const bytes of bytesOf(answer)) {
    const lines = decoder.write(bytes).split('\n')
    const rest = lines.pop() ?? ''
    for (const end of lines) {
      const line = begun.length === 0 ? end : [...begun, end].join('')
      begun = []
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
      }
    }
    if (rest !== '') begun.push(rest)
  }
}

/** Of an answer that came another way than by `createModelFetch`: by its stream. */
const bytesOf = (
  answer: object & { body: AsyncIterable<Uint8Array> | null },
): ArrivingBytes | AsyncIterable<Buffer> =>
  answer instanceof ModelAnswer ? answer.arriving : pieces(answer.body)

async function* pieces(stream: AsyncIterable<Uint8Array> | null): AsyncGenerator<Buffer> {
  for await (const piece of stream ?? []) yield Buffer.from(piece)
}
