/** What goes over the wire about runs. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, metadata, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { runErrorCodes } from './run-errors.ts'

const toolCallId = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The call, as `pendingApprovals` of the run names it.',
  examples: ['call_1'],
})

export const PendingApproval = Type.Object(
  {
    runId: idOf('run', {
      description: 'The run whose call it is, to which the decision is sent: this one, or one within it.',
    }),
    toolCallId,
    name: Type.String({ description: 'Name of the tool.' }),
    input: Type.Unknown({ description: 'The arguments with which it is to be called.' }),
    requestedAt: timestamp({ description: 'Since when it waits.' }),
    expiresAt: timestamp({ description: 'When the run fails with `approval_expired` unless it is decided.' }),
  },
  { title: 'PendingApproval', additionalProperties: false },
)
export type PendingApproval = Static<typeof PendingApproval>

export const Decisions = Type.Object(
  {
    decisions: Type.Array(
      Type.Object(
        {
          toolCallId,
          decision: stringEnum(['approve', 'reject'], {
            description: 'A call that is rejected is not carried out, and the model is told so.',
          }),
          reason: Type.Optional(
            Type.String({
              maxLength: 2_000,
              description: 'Why; kept with the step, and told to the model where the call is rejected.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 50, description: 'Some or all of the calls that wait.' },
    ),
  },
  { title: 'Decisions', additionalProperties: false },
)
export type Decisions = Static<typeof Decisions>

export const ratings = ['positive', 'negative'] as const
export type Rating = (typeof ratings)[number]

const rating = stringEnum(ratings, { description: 'Whether the answer was good.' })

export const NewFeedback = Type.Object(
  {
    rating,
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', description: 'Why, in words.' }),
    ),
    endUserId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Who, among your own users, says so; need not be the one of the run.',
      }),
    ),
  },
  { title: 'NewFeedback', additionalProperties: false },
)
export type NewFeedback = Static<typeof NewFeedback>

export const Feedback = Type.Object(
  {
    rating,
    comment: nullable(Type.String(), { description: 'As given.' }),
    endUserId: nullable(Type.String(), { description: 'As given.' }),
    createdAt: timestamp({ description: 'When it was given.' }),
  },
  { title: 'Feedback', additionalProperties: false },
)
export type Feedback = Static<typeof Feedback>

export const feedbackExample: Feedback = {
  rating: 'negative',
  comment: 'It is 28 days since January.',
  endUserId: 'ada',
  createdAt: '2026-11-21T09:31:00.000Z',
}

export const inputFields = {
  responseSchema: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        'A JSON Schema (draft 2020-12) that the answer has to fit; it is then in `structuredOutput`. At most 64 KB; `$ref` only within the schema.',
    }),
  ),
  attachments: Type.Optional(
    Type.Array(idOf('document'), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Documents to read with the prompt: texts as passages that can be cited, images for models that see.',
    }),
  ),
  variables: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      additionalProperties: { type: 'string', maxLength: 10_000 },
      description: "Values of the variables of the agent's instructions, by name.",
      examples: [{ customer_name: 'Ada' }],
    }),
  ),
}

/** As the run's record shows them. */
export const shownInputFields = {
  structuredOutput: Type.Unknown({
    description: 'The answer as a value that fits `responseSchema`; null where none was given.',
  }),
  responseSchema: Type.Unknown({ description: 'The JSON Schema that was given; null where none was.' }),
  attachments: Type.Array(idOf('document'), { description: 'As given with the prompt.' }),
  variables: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'As given with the prompt.',
  }),
}

export const runStatuses = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]

/** What becomes of a run whose conversation has another one under way. */
export const busyPolicies = ['enqueue', 'reject', 'interrupt'] as const
export type BusyPolicy = (typeof busyPolicies)[number]

const endUserIdField = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Who, among your own users, is talking; conversations of different end users never meet.',
})

export const defaultMaxSteps = 8
export const defaultTimeoutSeconds = 120

export const NewRun = Type.Object(
  {
    prompt: Type.String({
      minLength: 1,
      maxLength: 100_000,
      pattern: '\\S',
      description: 'What to ask or to tell the agent: 1 to 100,000 characters.',
    }),
    conversationId: Type.Optional(
      idOf('conversation', {
        description:
          'Goes on with a conversation: the agent remembers its earlier runs. Each run names its conversation; one that gives none begins a new one.',
      }),
    ),
    endUserId: Type.Optional(endUserIdField),
    whenBusy: Type.Optional(
      stringEnum(busyPolicies, {
        description:
          'What to do where the conversation has a run under way: `enqueue` (unless given) begins when those before it have ended, `reject` answers 409 `conversation_busy`, `interrupt` cancels those before it and then begins.',
      }),
    ),
    metadata: Type.Optional(metadata({ description: 'Your own notes on the run; kept and shown with it.' })),
    ...inputFields,
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The revision of the agent to run instead of the published one; for one that is not published the key needs `agents:write` too.',
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          maxSteps: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 50,
              description: `Most calls of the model; ${defaultMaxSteps} unless given.`,
            }),
          ),
          maxCostUsd: Type.Optional(
            Type.Number({
              exclusiveMinimum: 0,
              maximum: 1_000,
              description: 'No further call of the model once the run has cost this much, in US dollars.',
            }),
          ),
          timeoutSeconds: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 600,
              description: `When the run ends at the latest; ${defaultTimeoutSeconds} seconds unless given.`,
            }),
          ),
          maxOutputTokens: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000_000,
              description: 'Most tokens that the model writes in one call; as many as it can unless given.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description: "What the run may use at the most; less than the agent's limits, never more.",
        },
      ),
    ),
  },
  { title: 'NewRun', additionalProperties: false },
)
export type NewRun = Static<typeof NewRun>

export const RunFilter = Type.Object({
  status: Type.Optional(stringEnum(runStatuses, { description: 'Only runs in this state.' })),
  conversationId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only runs of this conversation.' }),
  ),
  endUserId: Type.Optional(Type.String({ maxLength: 200, description: 'Only runs of this end user.' })),
  feedback: Type.Optional(stringEnum(ratings, { description: 'Only runs with this rating.' })),
  createdAfter: Type.Optional(timestamp({ description: 'Only runs made at or after this instant.' })),
  createdBefore: Type.Optional(timestamp({ description: 'Only runs made before this instant.' })),
})
export type RunFilter = Static<typeof RunFilter>

export const Citation = Type.Object(
  {
    marker: Type.String({ description: 'How the output refers to it.', examples: ['[1]'] }),
    documentId: Type.String({ description: 'The document.' }),
    documentVersion: Type.Integer({ description: 'The version of the document that was quoted.' }),
    chunkId: Type.String({ description: 'The piece of the document that the search found.' }),
    quote: Type.String({
      description:
        "The document's own words, exactly as they stand at the offsets; `[erased]` once the document has been erased for good.",
    }),
    page: nullable(Type.Integer(), { description: 'The page, in documents that have pages.' }),
    startOffset: Type.Integer({
      description: "Where the quote begins, in code points of the document's text.",
    }),
    endOffset: Type.Integer({ description: 'Where it ends; the code point there is not part of it.' }),
  },
  { title: 'Citation', additionalProperties: false },
)
export type Citation = Static<typeof Citation>

export const RunStep = Type.Object(
  {
    type: stringEnum(['model', 'tool'], { description: 'A call of the model, or of a tool.' }),
    name: Type.String({ description: 'Name of the model or of the tool.' }),
    toolCallId: Type.Optional(
      Type.String({ description: 'Of a tool: the id of the call, of which the run has no other.' }),
    ),
    approval: Type.Optional(
      Type.Object(
        {
          decision: stringEnum(['approve', 'reject'], { description: 'What was decided.' }),
          reason: nullable(Type.String(), { description: 'As it was given.' }),
          decidedBy: Type.Object(
            {
              userId: nullable(Type.String(), { description: 'The member whose key it was.' }),
              keyId: nullable(Type.String(), { description: 'The key.' }),
            },
            { additionalProperties: false, description: 'Who decided.' },
          ),
          decidedAt: timestamp({ description: 'When.' }),
        },
        { additionalProperties: false, description: 'Of a call that had to wait for it.' },
      ),
    ),
    input: Type.Unknown({
      description: "A tool's arguments; for the model, the number of messages that it read.",
    }),
    output: Type.Unknown({ description: 'What came back: text and tool calls, passages, or an error.' }),
    startedAt: timestamp({ description: 'When the step began.' }),
    durationMs: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  },
  { title: 'RunStep', additionalProperties: false },
)
export type RunStep = Static<typeof RunStep>

export const Run = Type.Object(
  {
    id: idOf('run', { description: 'Id of the run.' }),
    agentId: idOf('agent', { description: 'The agent that ran.' }),
    agentRevision: Type.Integer({ minimum: 1, description: 'The revision of the agent that ran.' }),
    conversationId: idOf('conversation', { description: 'Give it with the next prompt to go on.' }),
    endUserId: nullable(Type.String(), { description: 'As given with the prompt.' }),
    status: stringEnum(runStatuses, {
      description:
        'Every run ends as succeeded, failed or cancelled; `waiting` is one whose tool calls wait for an approval.',
    }),
    pendingApprovals: Type.Array(PendingApproval, {
      description:
        'The calls for whose approval it waits, those of runs within it included; POST /runs/:id/approvals decides.',
    }),
    parentRunId: nullable(idOf('run'), {
      description: 'The run that called this agent by `call_agent`, and of which this one is a part.',
    }),
    prompt: Type.String({ description: 'What was asked.' }),
    output: nullable(Type.String(), { description: 'The answer; null until there is one.' }),
    ...shownInputFields,
    citations: Type.Array(Citation, { description: 'Where the answer stands, in the order of the output.' }),
    steps: Type.Array(RunStep, { description: 'What the run did, in order.' }),
    model: nullable(Type.String(), { description: 'The model that it ran on; null until it has begun.' }),
    usage: Type.Object(
      {
        inputTokens: Type.Integer({ minimum: 0, description: 'Tokens that the model read, over all steps.' }),
        outputTokens: Type.Integer({ minimum: 0, description: 'Tokens that the model wrote.' }),
        costUsd: nullable(Type.Number({ minimum: 0 }), {
          description:
            "Cost in US dollars: 0 for the built-in models, null where the model's price is not known.",
        }),
        isEstimate: Type.Boolean({
          description:
            'True where a call of the model was cut short: its part is then reckoned from what was sent and heard, four characters to a token.',
        }),
      },
      { additionalProperties: false, description: 'What the run used.' },
    ),
    error: nullable(
      Type.Object(
        {
          code: stringEnum(Object.keys(runErrorCodes), { description: 'Why the run failed.' }),
          message: Type.String({ description: 'The same in words.' }),
          retryable: Type.Boolean({ description: 'Whether the same run may succeed later.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'Null unless the run failed.' },
    ),
    metadata: Type.Object({}, { additionalProperties: true, description: 'As given with the prompt.' }),
    rerunOf: nullable(idOf('run'), {
      description: 'The run whose inputs it repeats; null for one of its own.',
    }),
    feedback: nullable(Feedback, { description: 'What is thought of it; null until somebody says so.' }),
    createdAt: timestamp({ description: 'When the run was asked for.' }),
    startedAt: nullable(timestamp(), { description: 'When it began.' }),
    finishedAt: nullable(timestamp(), { description: 'When it ended.' }),
    durationMs: nullable(Type.Integer({ minimum: 0 }), { description: 'From its beginning to its end.' }),
  },
  { title: 'Run', additionalProperties: false },
)
export type Run = Static<typeof Run>

export const runExample: Run = {
  id: exampleId('run'),
  agentId: exampleId('agent'),
  agentRevision: 1,
  conversationId: exampleId('conversation'),
  endUserId: null,
  status: 'succeeded',
  pendingApprovals: [],
  parentRunId: null,
  prompt: 'How many days of leave do I have?',
  output: '"Every full-time employee has 27 days of paid annual leave a year." [1]',
  structuredOutput: null,
  responseSchema: null,
  attachments: [],
  variables: {},
  citations: [
    {
      marker: '[1]',
      documentId: exampleId('document'),
      documentVersion: 1,
      chunkId: exampleId('chunk'),
      quote: 'Every full-time employee has 27 days of paid annual leave a year.',
      page: null,
      startOffset: 142,
      endOffset: 207,
    },
  ],
  steps: [
    {
      type: 'tool',
      name: 'search_knowledge',
      input: { query: 'How many days of leave do I have?' },
      output: {
        passages: [
          {
            marker: '[1]',
            chunkId: exampleId('chunk'),
            documentId: exampleId('document'),
            documentVersion: 1,
            title: 'Leave and holidays',
            text: 'Every full-time employee has 27 days of paid annual leave a year.',
            page: null,
            startOffset: 142,
            endOffset: 207,
          },
        ],
      },
      startedAt: '2026-11-21T09:30:00.002Z',
      durationMs: 4,
    },
  ],
  model: 'extractive',
  usage: { inputTokens: 812, outputTokens: 24, costUsd: 0, isEstimate: false },
  error: null,
  metadata: {},
  rerunOf: null,
  feedback: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  startedAt: '2026-11-21T09:30:00.001Z',
  finishedAt: '2026-11-21T09:30:00.009Z',
  durationMs: 8,
}

export const LastRun = Type.Object(
  {
    agentId: idOf('agent', { description: 'The agent.' }),
    run: nullable(
      Type.Object(
        {
          id: idOf('run', { description: 'Id of its newest run.' }),
          status: stringEnum(runStatuses),
          createdAt: timestamp(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'LastRun', additionalProperties: false },
)
export type LastRun = Static<typeof LastRun>

export const lastRunExample: LastRun = {
  agentId: exampleId('agent'),
  run: { id: exampleId('run'), status: 'succeeded', createdAt: '2026-11-21T09:30:00.000Z' },
}
