/**
 * Items of responses and conversations, and their ids. Each id names its run, so nothing about it needs to be stored.
 */
import { idPrefixes } from '../../platform/ids.ts'
import type { Message } from '../agents/records/message-schemas.ts'

/** The part of an id after its prefix. */
const suffixOf = (runId: string): string => runId.slice(idPrefixes.run.length + 1)

export const responseIdOf = (runId: string): string => `resp_${suffixOf(runId)}`
export const completionIdOf = (runId: string): string => `chatcmpl-${suffixOf(runId)}`
export const textCompletionIdOf = (runId: string): string => `cmpl-${suffixOf(runId)}`
export const messageIdOf = (runId: string, stepIndex: number): string => `msg_${suffixOf(runId)}_${stepIndex}`
export const callItemIdOf = (runId: string, index: number): string => `fc_${suffixOf(runId)}_${index}`
export const searchItemIdOf = (runId: string, nth: number): string => `fs_${suffixOf(runId)}_${nth}`
/** At most 40 characters, the limit of OpenAI's own models. */
export const callIdOf = (runId: string, index: number): string => `call_${suffixOf(runId)}_${index}`

export const isSearchItem = (itemId: string): boolean => itemId.startsWith('fs_')

/** The run named by the id of a response, a completion, an item or a call; null for any other text. */
export function runIdOf(id: string): string | null {
  const [, suffix] =
    /^(?:resp|chatcmpl|cmpl|msg|fs|fc|call)[_-]([0-9a-hjkmnp-tv-z]{26})(?:_\d{1,5})?$/.exec(id) ?? []
  return suffix === undefined ? null : `${idPrefixes.run}_${suffix}`
}

export type Item = { id: string } & Record<string, unknown>

/** The items in the order of the messages. */
export const inputItemsOf = (runId: string, messages: readonly Message[]): Item[] =>
  messages.flatMap((message, at) =>
    itemsOf(message, place => messageIdOf(runId, firstOfInput + at * 64 + place)),
  )

/** Far above the steps of any run, whose numbers the items of its output use. */
const firstOfInput = 1_000

/** `idOf` makes an item's id from its place in the message. */
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
