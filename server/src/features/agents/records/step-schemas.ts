/** The wire format of a step of a run: a call of the model or of a tool. */
import { type Static, type TProperties, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { runErrorCodes } from './run-errors.ts'

const name = (description: string) => Type.String({ description })

const times = {
  startedAt: timestamp({ description: 'When the step began.' }),
  durationMs: Type.Integer({ minimum: 0, description: 'Duration, in milliseconds.' }),
}

const usage = Type.Optional(
  Type.Object(
    {
      inputTokens: Type.Integer({ minimum: 0, description: 'Tokens that the model read.' }),
      outputTokens: Type.Integer({ minimum: 0, description: 'Tokens that the model wrote.' }),
      cachedInputTokens: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Those of `inputTokens` that came from a cache.' }),
      ),
      reasoningTokens: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Those of `outputTokens` that are reasoning.' }),
      ),
      costUsd: nullable(Type.Number({ minimum: 0 }), {
        description: 'Cost in US dollars; null if the price of the model is unknown.',
      }),
    },
    { title: 'StepUsage', description: 'What the step used of models.' },
  ),
)

/** These objects let other fields through, so that a record shows everything that its step holds. */
const lenient = <Properties extends TProperties>(
  properties: Properties,
  title: string,
  description: string,
) => Type.Object(properties, { title, additionalProperties: true, description })

const ModelStepInput = lenient(
  {
    messages: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of messages that it read.' })),
  },
  'ModelStepInput',
  'What the model was sent.',
)

const ModelStepOutput = lenient(
  {
    text: Type.Optional(Type.String({ description: 'What the model wrote.' })),
    toolCalls: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ description: "The model's own id of the call." }),
          name: Type.String({ description: 'Name of the tool.' }),
          arguments: Type.Unknown({ description: 'Arguments of the call, as the model wrote them.' }),
        }),
        { description: 'Calls of tools that it asked for.' },
      ),
    ),
    finish: Type.Optional(
      nullable(Type.String(), { description: 'Why it stopped, such as `stop`; null if it was cut short.' }),
    ),
    usage,
    notes: Type.Optional(
      Type.Array(Type.String(), { description: "What was repaired in the reply of the model's server." }),
    ),
    rejected: Type.Optional(
      Type.String({ description: 'The part of an answer that did not fit, which the model then corrected.' }),
    ),
    error: Type.Optional(
      Type.Object(
        {
          code: stringEnum(Object.keys(runErrorCodes), { description: 'Why the call failed.' }),
          message: Type.String({ description: 'Description of the error.' }),
        },
        { description: 'Why the call came to nothing, or was cut short.' },
      ),
    ),
    note: Type.Optional(Type.String({ description: 'What else is to be known of the result.' })),
  },
  'ModelStepOutput',
  'What the model answered: text and calls of tools, or an error.',
)
export type ModelStepOutput = Static<typeof ModelStepOutput>

const ModelStep = Type.Closed('ModelStep', {
  type: stringEnum(['model'], { description: 'A call of the model.' }),
  name: name('Name of the model.'),
  input: ModelStepInput,
  output: ModelStepOutput,
  ...times,
})

const FoundPassage = Type.Object(
  {
    marker: Type.String({ description: 'The marker by which the answer cites it.', examples: ['[1]'] }),
    documentId: Type.String({ description: 'The document that holds the passage.' }),
    documentVersion: Type.Integer({ description: 'The version of the document that was read.' }),
    chunkId: Type.String({ description: 'Id of the chunk that the search found.' }),
    title: Type.String({ description: 'Title of the document.' }),
    headings: Type.Optional(
      Type.Array(Type.String(), { description: 'The headings above it, from the topmost one.' }),
    ),
    text: Type.Optional(
      Type.String({ description: "The document's words; left out for documents attached to the prompt." }),
    ),
    page: nullable(Type.Integer(), { description: 'Page number; null for documents without pages.' }),
    startOffset: Type.Integer({
      description: "Start of the passage, in code points of the document's text.",
    }),
    endOffset: Type.Integer({ description: 'End of the passage, exclusive.' }),
    cells: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The row of a table in it that fits best, by the names of the columns.',
      }),
    ),
    score: Type.Optional(
      Type.Number({
        description: 'How well it fits the query of a search; only scores of one search compare.',
      }),
    ),
  },
  { title: 'FoundPassage' },
)

const ToolStepOutput = lenient(
  {
    passages: Type.Optional(Type.Array(FoundPassage, { description: 'Passages that the tool found.' })),
    content: Type.Optional(Type.Unknown({ description: 'What else the tool returned.' })),
    documents: Type.Optional(
      Type.Array(
        Type.Object({
          documentId: Type.String({ description: 'The attached document.' }),
          documentVersion: Type.Integer({ description: 'The version of it that the model was shown.' }),
          kind: stringEnum(['text', 'image'], { description: 'As what the model was shown it.' }),
        }),
        { description: 'Documents that were attached to the prompt.' },
      ),
    ),
    note: Type.Optional(Type.String({ description: 'What else is to be known of the result.' })),
    usage,
    error: Type.Optional(
      Type.Object(
        { message: Type.String({ description: 'Description of the error, as the model read it.' }) },
        { description: 'Why the call came to nothing.' },
      ),
    ),
  },
  'ToolStepOutput',
  'What the tool returned: passages, content of its own, or an error.',
)
export type ToolStepOutput = Static<typeof ToolStepOutput>

const Approval = Type.Closed(
  'Approval',
  {
    decision: stringEnum(['approve', 'reject'], { description: 'The decision.' }),
    reason: nullable(Type.String(), { description: 'The reason that was given; null if none was.' }),
    decidedBy: Type.Closed(
      {
        userId: nullable(Type.String(), { description: 'Id of the user who decided, or whose key did.' }),
        keyId: nullable(Type.String(), {
          description: 'The key that decided; null for a person in the console.',
        }),
      },
      { description: 'Author of the decision.' },
    ),
    decidedAt: timestamp({ description: 'When it was decided.' }),
  },
  { description: 'Decision on a call that waited for an approval.' },
)

const SentResult = Type.Closed(
  'SentResult',
  {
    sentBy: Type.Closed(
      {
        userId: nullable(Type.String(), { description: 'Id of the user who sent it, or whose key did.' }),
        keyId: nullable(Type.String(), {
          description: 'The key that sent it; null for a person in the console.',
        }),
      },
      { description: 'Sender of the result.' },
    ),
    sentAt: timestamp({ description: 'When the result came.' }),
  },
  { description: 'Who answered a call that waited for a result; `output` has the result.' },
)

const ToolStep = Type.Closed('ToolStep', {
  type: stringEnum(['tool'], { description: 'A call of a tool.' }),
  name: name('Name of the tool.'),
  toolCallId: Type.Optional(
    Type.String({ description: 'Id of the call, unique within the run; none for attached documents.' }),
  ),
  approval: Type.Optional(Approval),
  result: Type.Optional(SentResult),
  input: Type.Unknown({ description: 'Arguments of the call.' }),
  output: ToolStepOutput,
  ...times,
})

export const RunStep = Type.Union([ModelStep, ToolStep], {
  title: 'RunStep',
  description: 'A call of the model or of a tool, which `type` tells apart.',
})
export type RunStep = Static<typeof RunStep>

/** What a comparison shows of a step. */
export const stepOutline = {
  type: stringEnum(['model', 'tool'], { description: 'A model call or a tool call.' }),
  name: name('Name of the model or of the tool.'),
  durationMs: times.durationMs,
}
