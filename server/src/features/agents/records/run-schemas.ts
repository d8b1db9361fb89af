/** The wire format of runs. */
import { filterForms, filterParameter } from '../../../platform/filter/filter.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { noParameters } from '../../../platform/models/parameters.ts'
import { exampleId, idOf, metadata, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { PendingApproval, PendingToolCall } from '../../events/data-schemas.ts'
import { leastUsd, parameterFields } from '../definitions/agent-fields.ts'
import { AgentFunction, functionExample, maxFunctions } from '../definitions/functions.ts'
import { Feedback, ratings } from './answer-schemas.ts'
import { Message, maxMessages, maxText, messagesExample, ShownMessage } from './message-schemas.ts'
import { runErrorCodes } from './run-errors.ts'
import { RunStep } from './step-schemas.ts'

const toolChoice = Type.Union(
  [
    stringEnum(['auto', 'none', 'required']),
    Type.Closed('NamedToolChoice', {
      function: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Name of a function or tool of the run.',
        examples: [functionExample.name],
      }),
    }),
  ],
  {
    title: 'ToolChoice',
    description:
      'Whether the model calls functions and tools. `auto` (the default): as it likes. `none`: not at all. `required`: its first answer is a call. `{"function": "NAME"}`: its first answer calls this one. After the first answer the model is free.',
    examples: ['auto'],
  },
)
export type ToolChoice = Static<typeof toolChoice>

export const inputFields = {
  responseSchema: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        'JSON Schema (draft 2020-12) for the answer, which is returned in `structuredOutput`. At most 64 KB; `$ref` only within the schema.',
    }),
  ),
  functions: Type.Optional(
    Type.Array(AgentFunction, {
      maxItems: maxFunctions,
      description:
        'Functions of your own program that the model may call in this run, besides those of the agent. For each call the run waits for your result: see `pendingToolCalls`.',
      examples: [[functionExample]],
    }),
  ),
  toolChoice: Type.Optional(toolChoice),
  attachments: Type.Optional(
    Type.Array(idOf('document'), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Documents for the prompt: texts as citable passages, images for models that accept images.',
    }),
  ),
  collectionIds: Type.Optional(
    Type.Array(idOf('collection'), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description:
        "Narrows the run to these collections, within those of its agent, its key and its conversation. Tools find nothing outside them. The conversation's first run narrows all later ones.",
    }),
  ),
  filter: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        "Narrows the run to documents that match: a filter as in GET /knowledge/search, as an object. Tools find nothing else. The conversation's first run narrows all later ones.",
      examples: [{ field: 'tenant', op: 'eq', value: 'acme' }],
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

/** The owner of a run or of a conversation. */
export const ownerId = nullable(idOf('user'), {
  description:
    'The person whose conversation it is, and who alone continues and changes it; null if it belongs to the workspace, as those of keys do.',
})

/** The narrowing of a run or of a conversation, as the record shows it. */
export const narrowingFields = {
  collectionIds: nullable(Type.Array(idOf('collection')), {
    description:
      'The only collections that its runs read: those asked for that the conversation or the calling run allows. Null for no such limit.',
  }),
  filter: nullable(Type.Object({}, { additionalProperties: true }), {
    description:
      'Only documents that match are read: the filter asked for, joined with that of the conversation or the calling run. Null for no filter.',
  }),
}

/** The input fields as the run's record shows them. */
export const shownInputFields = {
  ...narrowingFields,
  structuredOutput: Type.Unknown({
    description: 'The answer as a value that fits `responseSchema`; null if no schema was given.',
  }),
  responseSchema: Type.Unknown({ description: 'The requested JSON Schema; null if there was none.' }),
  functions: Type.Array(AgentFunction, {
    description: 'Functions that the request named; those of the agent are in its revision.',
  }),
  toolChoice,
  attachments: Type.Array(idOf('document'), {
    description: 'Documents that were given with the prompt.',
  }),
  variables: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: "Values of the agent's variables, as given with the prompt.",
  }),
}

export const runStatuses = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]

/** What happens to a new run if its conversation has another run in progress. */
export const busyPolicies = ['enqueue', 'reject', 'interrupt'] as const
export type BusyPolicy = (typeof busyPolicies)[number]

const endUserIdField = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Your id of the end user. Conversations of different end users are separate.',
})

export const defaultMaxSteps = 8
export const defaultTimeoutSeconds = 120

/** The prompt in requests for runs and in schedules. */
export const promptField = (description: string) =>
  Type.String({ minLength: 1, maxLength: maxText, pattern: '\\S', description })

export const NewRun = Type.Closed('RunInput', {
  prompt: Type.Optional(
    promptField('Prompt for the agent: 1 to 100,000 characters. Send either this or `messages`.'),
  ),
  messages: Type.Optional(
    Type.Array(Message, {
      minItems: 1,
      maxItems: maxMessages,
      description:
        'In place of `prompt`: what was said before, with its images, documents and calls of functions, and last the prompt or the results of calls. With `conversationId` they follow what the conversation remembers.',
      examples: [messagesExample],
    }),
  ),
  conversationId: Type.Optional(
    idOf('conversation', {
      description:
        'Continues a conversation: the agent remembers its earlier runs. Without it, the run starts a new conversation, which its reply names.',
    }),
  ),
  endUserId: Type.Optional(endUserIdField),
  whenBusy: Type.Optional(
    stringEnum(busyPolicies, {
      description:
        'What to do if a run of the conversation is in progress. `enqueue` (the default) starts after earlier runs have ended. `reject` answers 409 `conversation_busy`. `interrupt` cancels earlier runs and then starts; it answers 409 too while one of them is a part of another run.',
    }),
  ),
  metadata: Type.Optional(metadata({ description: 'Your own data, stored and returned with the run.' })),
  callbackUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      examples: ['https://example.com/answers?ticket=4711'],
      description:
        'Where the events of this run are sent by POST as well, when it waits and when it ends; signed with the secret of POST /callbacks/secret/rotate. Private addresses are refused unless the operator allows them; redirects are not followed. No reply shows it but the log, GET /callbacks/deliveries.',
    }),
  ),
  ...inputFields,
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Revision to run instead of the published one. Other revisions also need `agents:write`.',
    }),
  ),
  limits: Type.Optional(
    Type.Closed(
      {
        maxSteps: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50,
            description: `Maximum number of model calls; ${defaultMaxSteps} by default.`,
          }),
        ),
        maxCostUsd: Type.Optional(
          Type.Number({
            minimum: leastUsd,
            maximum: 1_000,
            description: 'Cost in US dollars after which the run makes no more model calls.',
          }),
        ),
        timeoutSeconds: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 600,
            description: `Maximum duration in seconds; ${defaultTimeoutSeconds} by default.`,
          }),
        ),
        maxOutputTokens: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1_000_000,
            description:
              'Maximum number of tokens that the model writes in one call; by default as many as it can.',
          }),
        ),
      },
      { description: "Limits of the run; at most the agent's limits." },
    ),
  ),
  modelParameters: Type.Optional(
    Type.Partial(Type.Closed(parameterFields), {
      description:
        "How the model writes, each instead of the agent's: null for the provider's default. One that the model does not take is an error, unless the agent is `lenient`.",
    }),
  ),
})
export type NewRun = Static<typeof NewRun>

/** The fields that a run in a list has only if the query asks for them. */
const expandable = ['steps', 'citations'] as const

export const Expansion = Type.Object({
  expand: Type.Optional(
    Type.String({
      pattern: '^(steps|citations)(,(steps|citations))*$',
      description: 'Adds `steps`, `citations` or `steps,citations` to each run.',
      examples: ['steps,citations'],
    }),
  ),
})
export type Expansion = Static<typeof Expansion>

export const expansionOf = ({ expand = '' }: Expansion): ReadonlySet<(typeof expandable)[number]> => {
  if (expand === '') return nothing
  const wanted = expand.split(',')
  return new Set(expandable.filter(field => wanted.includes(field)))
}

const nothing: ReadonlySet<never> = new Set()

export const RunFilter = Type.Object({
  ...Expansion.properties,
  status: Type.Optional(stringEnum(runStatuses, { description: 'Only runs in this state.' })),
  conversationId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only runs of this conversation.' }),
  ),
  endUserId: Type.Optional(Type.String({ maxLength: 200, description: 'Only runs of this end user.' })),
  feedback: Type.Optional(stringEnum(ratings, { description: 'Only runs with this rating.' })),
  filter: Type.Optional(filterParameter(`the metadata of runs: ${filterForms}`)),
})
export type RunFilter = Static<typeof RunFilter>

export const AllRunsFilter = Type.Object({
  agentId: Type.Optional(idOf('agent', { description: 'Only runs of this agent.' })),
  ...RunFilter.properties,
})
export type AllRunsFilter = Static<typeof AllRunsFilter>

export const Citation = Type.Closed('Citation', {
  marker: Type.String({ description: 'Marker in the output, such as `[1]`.', examples: ['[1]'] }),
  documentId: Type.String({ description: 'The document.' }),
  documentVersion: Type.Integer({ description: 'The version of the document that was quoted.' }),
  chunkId: Type.String({ description: 'Id of the chunk that the search found.' }),
  quote: Type.String({
    description:
      'Exact words of the document at the offsets; `[erased]` once the document has been permanently erased.',
  }),
  page: nullable(Type.Integer(), { description: 'Page number; null for documents without pages.' }),
  startOffset: Type.Integer({
    description: "Start of the quote, in code points of the document's text.",
  }),
  endOffset: Type.Integer({ description: 'End of the quote, exclusive.' }),
})
export type Citation = Static<typeof Citation>

const starters = ['api', 'person', 'page', 'schedule', 'trigger', 'agent', 'rerun', 'operator'] as const

export const Run = Type.Closed('Run', {
  id: idOf('run', { description: 'Id of the run.' }),
  agentId: idOf('agent', { description: 'The agent that ran.' }),
  agentRevision: Type.Integer({ minimum: 1, description: 'Revision of the agent that the run used.' }),
  conversationId: idOf('conversation', {
    description: 'Send it with the next prompt to continue the conversation.',
  }),
  ownerId,
  endUserId: nullable(Type.String(), {
    description: 'Your id of the end user, as given with the prompt; null if none was given.',
  }),
  status: stringEnum(runStatuses, {
    description:
      'Every run ends as `succeeded`, `failed` or `cancelled`. A `waiting` run has tool calls that wait for an approval, or for a result of your program.',
  }),
  behind: Type.Integer({
    minimum: 0,
    description:
      'How many runs of its conversation must end before this one begins; 0 if it waits for none. The oldest of them may wait for an approval or a result.',
  }),
  pendingApprovals: Type.Array(PendingApproval, {
    description:
      'Tool calls that wait for an approval, including those of its parts; decide with POST /runs/:id/approvals.',
  }),
  pendingToolCalls: Type.Array(PendingToolCall, {
    description:
      'Calls of functions that wait for the result of your program, including those of its parts; send it with POST /runs/:id/tool-results.',
  }),
  parentRunId: nullable(idOf('run'), {
    description: 'The run that started this one with `call_agent`; null if none did.',
  }),
  prompt: Type.String({ description: 'The prompt; of `messages` the words of the last user message.' }),
  messages: nullable(Type.Array(ShownMessage), {
    description: 'The messages that the request gave; null if it gave a prompt.',
  }),
  output: nullable(Type.String(), { description: 'The answer; null until there is one.' }),
  ...shownInputFields,
  citations: Type.Array(Citation, { description: 'Sources of the answer, in the order of the output.' }),
  steps: Type.Array(RunStep, { description: 'Steps of the run, in order.' }),
  model: nullable(Type.String(), { description: 'Model that the run used; null until it starts.' }),
  modelParameters: Type.Closed(parameterFields, {
    description:
      "How the model writes, from the agent and the request; null for the provider's default. Those that the model does not take are left out.",
  }),
  usage: Type.Closed(
    {
      inputTokens: Type.Integer({ minimum: 0, description: 'Input tokens of all steps.' }),
      outputTokens: Type.Integer({ minimum: 0, description: 'Output tokens of all steps.' }),
      costUsd: nullable(Type.Number({ minimum: 0 }), {
        description: "Cost in US dollars: 0 for the built-in models, null if the model's price is unknown.",
      }),
      isEstimate: Type.Boolean({
        description:
          'True if a model call was cut short. Its tokens are then estimated at four characters per token.',
      }),
    },
    { description: 'What the run used.' },
  ),
  error: nullable(
    Type.Closed({
      code: stringEnum(Object.keys(runErrorCodes), { description: 'Why the run failed.' }),
      message: Type.String({ description: 'Description of the error.' }),
      retryable: Type.Boolean({ description: 'Whether the same run may succeed later.' }),
    }),
    { description: 'Null unless the run failed.' },
  ),
  metadata: Type.Object(
    {},
    { additionalProperties: true, description: 'Your own data, as given with the prompt.' },
  ),
  rerunOf: nullable(idOf('run'), {
    description: 'The run whose inputs it repeats; null if it is not a rerun.',
  }),
  startedBy: Type.Closed(
    {
      type: stringEnum(starters, {
        description:
          '`api`: a request with a key. `person`: a person in the console. `page`: a page with a browser token. `schedule` and `trigger`: one of the agent. `agent`: a run that called this agent. `rerun`: POST /runs/:id/rerun. `operator`: the command of the operator.',
      }),
      id: nullable(Type.String({ examples: [exampleId('schedule')] }), {
        description:
          'The browser token, the schedule, the trigger, the run that called the agent, or the run that was repeated; null for the other types.',
      }),
    },
    { description: 'What started the run.' },
  ),
  feedback: nullable(Feedback, {
    description:
      "Feedback on the answer: of the workspace, else of the end user's page; null if there is none.",
  }),
  endUserFeedback: nullable(Feedback, {
    description:
      'Feedback of the end user, which feedback of the workspace does not replace; null if there is none.',
  }),
  createdAt: timestamp({ description: 'When the run was requested.' }),
  startedAt: nullable(timestamp(), { description: 'When work on it began; null if it has not.' }),
  finishedAt: nullable(timestamp(), { description: 'When it ended; null until then.' }),
  durationMs: nullable(Type.Integer({ minimum: 0 }), {
    description: 'From `startedAt` to `finishedAt`, in milliseconds; null if one of them is.',
  }),
})
export type Run = Static<typeof Run>

const { messages: _messages, ...listedProperties } = Run.properties

export const ListedRun = Type.Closed('ListedRun', {
  ...listedProperties,
  citations: Type.Optional(Run.properties.citations),
  steps: Type.Optional(Run.properties.steps),
})
export type ListedRun = Static<typeof ListedRun>

export const runExample: Run = {
  id: exampleId('run'),
  agentId: exampleId('agent'),
  agentRevision: 1,
  conversationId: exampleId('conversation'),
  ownerId: null,
  endUserId: null,
  status: 'succeeded',
  behind: 0,
  pendingApprovals: [],
  pendingToolCalls: [],
  parentRunId: null,
  prompt: 'How many days of leave do I have?',
  messages: null,
  output: '"Every full-time employee has 27 days of paid annual leave a year." [1]',
  structuredOutput: null,
  responseSchema: null,
  functions: [],
  toolChoice: 'auto',
  attachments: [],
  collectionIds: null,
  filter: null,
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
  modelParameters: noParameters,
  usage: { inputTokens: 812, outputTokens: 24, costUsd: 0, isEstimate: false },
  error: null,
  metadata: {},
  rerunOf: null,
  startedBy: { type: 'api', id: null },
  feedback: null,
  endUserFeedback: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  startedAt: '2026-11-21T09:30:00.001Z',
  finishedAt: '2026-11-21T09:30:00.009Z',
  durationMs: 8,
}

const { steps: _steps, citations: _citations, messages: _given, ...listedExample } = runExample
export const listedRunExample: ListedRun = listedExample

export const LastRun = Type.Closed('LastRun', {
  agentId: idOf('agent', { description: 'The agent.' }),
  run: nullable(
    Type.Closed({
      id: idOf('run', { description: 'Id of its newest run.' }),
      status: stringEnum(runStatuses, { description: 'Its state.' }),
      createdAt: timestamp({ description: 'When it was created.' }),
    }),
  ),
})
export type LastRun = Static<typeof LastRun>

export const lastRunExample: LastRun = {
  agentId: exampleId('agent'),
  run: { id: exampleId('run'), status: 'succeeded', createdAt: '2026-11-21T09:30:00.000Z' },
}
