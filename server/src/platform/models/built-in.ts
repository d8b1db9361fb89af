/** What the two built-in models share: reading a conversation, and shaping a result as providers do. */
import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider'

/** A passage as a tool's result shows it to a model. */
export type ShownPassage = { cite: string; title: string; page?: number; text: string }

/** A tool's result as a model is given it. */
export type ShownResult = { passages: ShownPassage[]; note?: string }

export type Turn = {
  /** The last thing that the user said. */
  question: string
  /** Tool calls since then, all of them, and those whose last answer was an error. */
  toolCalls: number
  lastToolFailed: boolean
  passages: ShownPassage[]
}

/** What has happened since the user last spoke. */
export function readTurn(prompt: LanguageModelV3Prompt): Turn {
  const turn: Turn = { question: '', toolCalls: 0, lastToolFailed: false, passages: [] }
  for (const message of prompt) {
    if (message.role === 'user') {
      const texts = message.content.map(part => (part.type === 'text' ? part.text : ''))
      Object.assign(turn, { question: texts.join('\n'), toolCalls: 0, lastToolFailed: false, passages: [] })
    }
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      turn.toolCalls++
      turn.lastToolFailed = part.output.type !== 'json'
      if (part.output.type === 'json') {
        // The run's own executor wrote this value, in the shape that `ShownResult` describes.
        turn.passages.push(...((part.output.value as ShownResult).passages ?? []))
      }
    }
  }
  return turn
}

/** Tokens are reckoned as a quarter of the characters: the built-in models have no tokenizer of their own. */
export function resultOf(
  content: LanguageModelV3Content[],
  prompt: LanguageModelV3Prompt,
): LanguageModelV3GenerateResult {
  const calls = content.some(part => part.type === 'tool-call')
  const input = tokensOf(prompt)
  const output = tokensOf(content)
  return {
    content,
    finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  }
}

/** The same result as a stream, the text in words. */
export function streamOf(result: LanguageModelV3GenerateResult): LanguageModelV3StreamResult {
  const parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings: [] }]
  for (const [index, part] of result.content.entries()) {
    if (part.type === 'tool-call') parts.push(part)
    if (part.type !== 'text') continue
    const id = String(index)
    parts.push({ type: 'text-start', id })
    for (const delta of part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [])
      parts.push({ type: 'text-delta', id, delta })
    parts.push({ type: 'text-end', id })
  }
  parts.push({ type: 'finish', usage: result.usage, finishReason: result.finishReason })
  return { stream: ReadableStream.from(parts) as ReadableStream<LanguageModelV3StreamPart> }
}

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)
