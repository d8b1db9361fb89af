/** What the two built-in models share: how a conversation is read, what is marked in it for them, and how their answer is shaped. */
import type {
  JSONValue,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FunctionTool,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3Text,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { JsonSchema, StrangersSchemas } from '../json-schema/strangers-schemas.ts'

/** Models that need no provider. */
export const builtInModels: readonly string[] = ['extractive', 'sandbox']

/** A passage as a tool's result shows it to a model. */
export type ShownPassage = {
  cite: string
  title: string
  page?: number
  text: string
  /** Where it stands, for a model that can read on there. */
  documentId?: string
  endOffset?: number
}

/** A tool's result as a model is given it. */
export type ShownResult = { passages?: ShownPassage[]; content?: JSONValue; note?: string }

export type ToolOutput = Pick<LanguageModelV3ToolResultPart, 'toolName' | 'output'>

/** Whether it is an error instead of a result. */
export const hasFailed = ({ output }: ToolOutput): boolean => output.type !== 'json'

export type Turn = {
  /** The last thing that the user said. */
  question: string
  /** What tools have answered since then, and in how many rounds they were called. */
  results: ToolOutput[]
  rounds: number
  passages: ShownPassage[]
  /** How often the answer was sent back for a correction. */
  repairs: number
}

/** What has happened since the user last spoke. */
export function readTurn(prompt: LanguageModelV3Prompt): Turn {
  const turn: Turn = { question: '', results: [], rounds: 0, passages: [], repairs: 0 }
  for (const message of prompt) {
    if (message.role === 'user') {
      const texts = message.content.filter(part => part.type === 'text')
      if (texts.some(part => isMarked(part, 'repair'))) {
        turn.repairs++
        continue
      }
      Object.assign(turn, {
        question: texts.flatMap(part => (isMarked(part, 'attached') ? [] : [part.text])).join('\n'),
        results: [],
        rounds: 0,
        repairs: 0,
        passages: texts.flatMap(part => (isMarked(part, 'attached') ? attachedIn(part.text) : [])),
      })
    }
    if (message.role !== 'tool') continue
    turn.rounds++
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      turn.results.push(part)
      if (part.output.type === 'json') {
        // The run's own executor wrote this value, in the shape that `ShownResult` describes.
        turn.passages.push(...((part.output.value as ShownResult).passages ?? []))
      }
    }
  }
  return turn
}

/** What a text of the run's own is, for models that understand none. */
export const markOf = (kind: 'attached' | 'repair'): SharedV3ProviderOptions => ({ atrium: { kind } })

const isMarked = ({ providerOptions }: LanguageModelV3TextPart, kind: 'attached' | 'repair'): boolean =>
  providerOptions?.atrium?.kind === kind

/** The run's own executor wrote one line of words and then this value, in the shape that `ShownResult` describes. */
const attachedIn = (text: string): ShownPassage[] =>
  (JSON.parse(text.slice(text.indexOf('\n'))) as ShownResult).passages ?? []

/** Makes a value that fits a schema, in the turn of the workspace whose run asks. */
export type Sample = (schema: JsonSchema, text: string) => Promise<unknown>
export type SampleFor = StrangersSchemas['sample']

/** A text as the answer that is asked for: where that has to fit a schema, it stands wherever any text may. */
export async function answerWith(
  text: string,
  { responseFormat }: LanguageModelV3CallOptions,
  sample: Sample,
): Promise<LanguageModelV3Text> {
  if (responseFormat?.type !== 'json' || responseFormat.schema === undefined) return { type: 'text', text }
  // The AI SDK and we name the same thing differently.
  const schema = responseFormat.schema as JsonSchema
  return { type: 'text', text: JSON.stringify(await sample(schema, text)) }
}

/** What the sandbox model reads of a tool besides its schema; other models ignore it. */
export const approvalMark = (isNeeded: boolean): { providerOptions?: SharedV3ProviderOptions } =>
  isNeeded ? { providerOptions: { atrium: { needsApproval: true } } } : {}

/** Whether calls of the tool wait for an approval. */
export const needsApproval = ({ providerOptions }: LanguageModelV3FunctionTool): boolean =>
  providerOptions?.atrium?.needsApproval === true

// A built-in model, shaped as providers shape theirs: what it writes, piece by piece, is its stream.

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
