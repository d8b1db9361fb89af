/** What a response was asked, as items of its input. */
import type { Message } from '../agents/records/message-schemas.ts'
import { messageIdOf } from './ids.ts'

export type Item = { id: string } & Record<string, unknown>

/** In the order in which they were said. */
export const inputItemsOf = (runId: string, messages: readonly Message[]): Item[] =>
  messages.flatMap((message, at) =>
    itemsOf(message, place => messageIdOf(runId, firstOfInput + at * 64 + place)),
  )

/** Far behind the steps of any run, which the items of its output count. */
const firstOfInput = 1_000

/** The id of each is that of its place in the message. */
export function itemsOf(message: Message, idOf: (place: number) => string): Item[] {
  const about = { type: 'message', status: 'completed', role: message.role }
  switch (message.role) {
    case 'system':
      return [{ id: idOf(0), ...about, content: [{ type: 'input_text', text: message.content }] }]
    case 'user':
      return [{ id: idOf(0), ...about, content: partsOf(message) }]
    case 'assistant': {
      const { content, toolCalls = [] } = message
      const text = { type: 'output_text', text: content, annotations: [], logprobs: [] }
      return [
        ...(content === undefined ? [] : [{ id: idOf(0), ...about, content: [text] }]),
        ...toolCalls.map(({ toolCallId, name, input }, at) => ({
          id: idOf(at + 1),
          type: 'function_call',
          status: 'completed',
          call_id: toolCallId,
          name,
          arguments: JSON.stringify(input),
        })),
      ]
    }
    case 'tool': {
      const { toolCallId, output, error } = message
      const text = error ?? (typeof output === 'string' ? output : JSON.stringify(output))
      return [
        { id: idOf(0), type: 'function_call_output', status: 'completed', call_id: toolCallId, output: text },
      ]
    }
  }
}

function partsOf({ content }: Extract<Message, { role: 'user' }>): object[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }]
  return content.map(part => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    if (part.type === 'document') return { type: 'input_file', file_id: part.documentId }
    return { type: 'input_image', detail: 'auto', image_url: `data:${part.mediaType};base64,${part.data}` }
  })
}
