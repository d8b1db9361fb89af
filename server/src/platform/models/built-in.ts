/** What the two built-in models share: how a conversation is read, and what is marked in it for them alone. */
import type {
  JSONValue,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3Text,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { JsonSchema } from '../json-schema/schema-messages.ts'
import type { StrangersSchemas } from '../json-schema/strangers-schemas.ts'

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
