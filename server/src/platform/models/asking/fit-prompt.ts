/** What holds for every prompt, whichever provider reads it. */
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { isOfNine, isPlain, withIds } from './call-ids.ts'

type Message = LanguageModelV3Prompt[number]
type Assistant = Extract<Message, { role: 'assistant' }>
type ToolMessage = Extract<Message, { role: 'tool' }>

/**
 * The prompt as every provider takes it: it ends with the user or a result, no message and no text is empty, each
 * call has one result and each result one call, and ids keep to one pattern.
 */
export function fitPrompt(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const messages = withResults(prompt.flatMap(withoutEmpty))
  while (messages.at(-1)?.role === 'assistant') messages.pop()
  return withIds(messages, idRuleOf(messages))
}

/** A server whose own ids are of nine signs may be one that takes no others. */
function idRuleOf(messages: LanguageModelV3Prompt) {
  const own = messages.flatMap(message =>
    message.role === 'assistant'
      ? message.content.flatMap(part => (part.type === 'tool-call' ? [part.toolCallId] : []))
      : [],
  )
  const isAtNine = own.some(id => isOfNine(id) && /[A-Z]/.test(id) && /[a-z]/.test(id))
  return isAtNine ? isOfNine : isPlain
}

function withoutEmpty(message: Message): Message[] {
  if (message.role === 'system') return message.content.trim() === '' ? [] : [message]
  if (message.role === 'tool') return message.content.length === 0 ? [] : [message]
  const isSaid = (part: { type: string; text?: string }): boolean =>
    !('text' in part) || part.type === 'reasoning' || (part.text ?? '').trim() !== ''
  if (message.content.every(isSaid)) return speaks(message) ? [message] : []
  // The parts keep their types.
  const kept = { ...message, content: message.content.filter(isSaid) } as Message
  return speaks(kept) ? [kept] : []
}

/** Thoughts alone are no message. */
const speaks = ({ content }: Message): boolean =>
  typeof content === 'string' ? content !== '' : content.some(({ type }) => type !== 'reasoning')

const noResult = { type: 'error-text' as const, value: 'The call was not carried out.' }

/** Each answer with calls is followed by one message with the results of these calls, and no result stands elsewhere. */
function withResults(messages: readonly Message[]): Message[] {
  const whole: Message[] = []
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') continue
    whole.push(message)
    const calls = message.role === 'assistant' ? callsIn(message) : []
    if (calls.length === 0) continue
    const results: ToolMessage['content'] = []
    for (let next = at + 1; messages[next]?.role === 'tool'; next++) {
      results.push(...(messages[next] as ToolMessage).content)
    }
    const content = calls.map(
      ({ toolCallId, toolName }) =>
        results.find(part => 'toolCallId' in part && part.toolCallId === toolCallId) ?? {
          type: 'tool-result' as const,
          toolCallId,
          toolName,
          output: noResult,
        },
    )
    whole.push({ role: 'tool', content })
  }
  return whole
}

const callsIn = ({ content }: Assistant) => content.filter(part => part.type === 'tool-call')
