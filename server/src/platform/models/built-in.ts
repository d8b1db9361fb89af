/** What the two built-in models share: how they read a conversation and its marks, and how their answer is shaped. */
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
import { charactersPerToken } from './replies/estimate.ts'

/** Models that need no provider. */
export const builtInModels: readonly string[] = ['extractive', 'sandbox']

/** A passage as a tool's result shows it to a model. */
export type ShownPassage = {
  cite: string
  title: string
  page?: number
  headings?: string[]
  text: string
  /** The row of a table that fits best, by the names of its columns. */
  cells?: Readonly<Record<string, string>>
  /** The place of the passage, for a model that can read on there. */
  documentId?: string
  endOffset?: number
}

/** A tool's result that has passages or a note. The model gets any other result as it is. */
export type ShownResult = { passages?: ShownPassage[]; content?: JSONValue; note?: string }

export type ToolOutput = Pick<LanguageModelV3ToolResultPart, 'toolName' | 'output' | 'providerOptions'>

/** Whether the output is an error instead of a result. */
export const hasFailed = ({ output }: ToolOutput): boolean => output.type !== 'json' && output.type !== 'text'

/** Only a result with the run's mark is in the shape that `ShownResult` describes: no other passes for passages. */
export function resultIn(part: ToolOutput): ShownResult {
  const { output } = part
  if (output.type === 'text') return { content: output.value }
  if (output.type !== 'json') return {}
  return isMarked(part, 'result') ? (output.value as ShownResult) : { content: output.value }
}

export type Turn = {
  /** The last thing that the user said. */
  question: string
  /** The tools' answers since then, and in how many rounds the tools were called. */
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
      turn.passages.push(...(resultIn(part).passages ?? []))
    }
  }
  return turn
}

type Mark = 'attached' | 'repair' | 'result'

/** Marks a part that the run itself wrote, for models that do not understand texts. */
export const markOf = (kind: Mark): SharedV3ProviderOptions => ({ atrium: { kind } })

const isMarked = (
  { providerOptions }: Pick<LanguageModelV3TextPart, 'providerOptions'>,
  kind: Mark,
): boolean => providerOptions?.atrium?.kind === kind

/** The run's own executor wrote one line of words and then this value, in the shape that `ShownResult` describes. */
const attachedIn = (text: string): ShownPassage[] =>
  (JSON.parse(text.slice(text.indexOf('\n'))) as ShownResult).passages ?? []

/** Makes a value that fits a schema, in a turn of the run's workspace. */
export type Sample = (schema: JsonSchema, text: string) => Promise<unknown>
export type SampleFor = StrangersSchemas['sample']

/** The text as the requested answer. If the answer must fit a schema, the text stands wherever any text may stand. */
export async function answerWith(
  text: string,
  { responseFormat }: LanguageModelV3CallOptions,
  sample: Sample,
): Promise<LanguageModelV3Text> {
  if (responseFormat?.type !== 'json' || responseFormat.schema === undefined) return { type: 'text', text }
  // The AI SDK and Atrium have different names for the same type.
  const schema = responseFormat.schema as JsonSchema
  return { type: 'text', text: JSON.stringify(await sample(schema, text)) }
}

/** The mark that the sandbox model reads besides the schema of a tool. Other models ignore it. */
export const approvalMark = (isNeeded: boolean): { providerOptions?: SharedV3ProviderOptions } =>
  isNeeded ? { providerOptions: { atrium: { needsApproval: true } } } : {}

/** Whether calls of the tool wait for an approval. */
export const needsApproval = ({ providerOptions }: LanguageModelV3FunctionTool): boolean =>
  providerOptions?.atrium?.needsApproval === true

// A built-in model in the shape of a provider's model: what it writes, piece by piece, is its stream.

/** Consecutive texts of one type are one text. */
export type Written =
  | { type: 'text' | 'reasoning'; text: string }
  | LanguageModelV3ToolCall
  /** Says that the answer would go on, and why it is cut off. */
  | { type: 'cut'; reason: 'length' | 'content-filter' }

/** Throws the error that the call fails with. */
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

/** Yields the parts of the stream, and then returns the whole result. */
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

/** The id of the last part. */
const idOf = (content: readonly LanguageModelV3Content[]): string => String(content.length - 1)

/** Ends the last part, if it is a text. */
function* endOf(content: readonly LanguageModelV3Content[]): Generator<LanguageModelV3StreamPart> {
  const type = content.at(-1)?.type
  if (type === 'text' || type === 'reasoning') yield { type: `${type}-end`, id: idOf(content) }
}

/** Yields each text word by word, up to the limit of the answer. */
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
