/** A built-in model, shaped as providers shape theirs: what it writes, piece by piece, is its stream. */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider'

/** Texts of one type that come one after the other are one text. */
export type Written =
  | { type: 'text' | 'reasoning'; text: string }
  | LanguageModelV3ToolCall
  /** Says that there would be more, and why it does not come. */
  | { type: 'cut'; reason: 'length' | 'content-filter' }

/** Throws what the call fails with. */
type Write = (options: LanguageModelV3CallOptions) => Iterable<Written> | AsyncIterable<Written>

export const createWritingModel = (modelId: string, write: Write): LanguageModelV3 => ({
  specificationVersion: 'v3',
  provider: 'atrium',
  modelId,
  supportedUrls: {},
  async doGenerate(options) {
    const parts = partsOf(write(options), options)
    for (;;) {
      const next = await parts.next()
      if (next.done) return next.value
    }
  },
  // The types of the DOM and of Node call the same stream differently.
  doStream: async options => ({
    stream: ReadableStream.from(
      partsOf(write(options), options),
    ) as ReadableStream<LanguageModelV3StreamPart>,
  }),
})

type Finish = LanguageModelV3GenerateResult['finishReason']['unified']

/** The parts of the stream, and then the whole. */
async function* partsOf(
  written: ReturnType<Write>,
  { prompt, maxOutputTokens = Number.POSITIVE_INFINITY }: LanguageModelV3CallOptions,
): AsyncGenerator<LanguageModelV3StreamPart, LanguageModelV3GenerateResult> {
  const content: LanguageModelV3Content[] = []
  let unified: Finish = 'stop'
  yield { type: 'stream-start', warnings: [] }
  for await (const piece of inWords(written, maxOutputTokens)) {
    if (piece.type === 'cut') unified = piece.reason
    else if (piece.type === 'tool-call') {
      yield* endOf(content)
      content.push(piece)
      unified = 'tool-calls'
      yield piece
    } else {
      if (content.at(-1)?.type !== piece.type) {
        yield* endOf(content)
        content.push({ type: piece.type, text: '' })
        yield { type: `${piece.type}-start`, id: idOf(content) }
      }
      const open = content.at(-1)
      if (open?.type === piece.type) open.text += piece.text
      yield { type: `${piece.type}-delta`, id: idOf(content), delta: piece.text }
    }
  }
  yield* endOf(content)
  const result = resultOf(content, unified, prompt)
  yield { type: 'finish', usage: result.usage, finishReason: result.finishReason }
  return result
}

/** Of the last part. */
const idOf = (content: readonly LanguageModelV3Content[]): string => String(content.length - 1)

/** Nothing, where the last part is no text. */
function* endOf(content: readonly LanguageModelV3Content[]): Generator<LanguageModelV3StreamPart> {
  const type = content.at(-1)?.type
  if (type === 'text' || type === 'reasoning') yield { type: `${type}-end`, id: idOf(content) }
}

/** Each text word by word, as far as the answer may go. */
async function* inWords(written: ReturnType<Write>, maxTokens: number): AsyncGenerator<Written> {
  let left = maxTokens * charactersPerToken
  for await (const piece of written) {
    if (!('text' in piece)) {
      yield piece
      continue
    }
    for (const text of piece.text.match(/\s*\S+|\s+/g) ?? []) {
      left -= text.length
      if (left < 0) return yield { type: 'cut', reason: 'length' }
      yield { type: piece.type, text }
    }
  }
}

/** The built-in models have no tokenizer of their own. */
const charactersPerToken = 4

function resultOf(
  content: LanguageModelV3Content[],
  unified: Finish,
  prompt: LanguageModelV3CallOptions['prompt'],
): LanguageModelV3GenerateResult {
  const input = tokensOf(prompt)
  const output = tokensOf(content)
  const thoughts = content.filter(({ type }) => type === 'reasoning')
  const reasoning = thoughts.length === 0 ? 0 : tokensOf(thoughts)
  return {
    content,
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output - reasoning, reasoning },
    },
    warnings: [],
  }
}

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / charactersPerToken)
