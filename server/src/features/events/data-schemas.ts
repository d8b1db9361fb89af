/** The `data` of events, by kind of record: ids and states, and texts of runs that are read with the event. */
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { idOf, metadata, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const Actor = Type.Closed(
  'EventActor',
  {
    kind: stringEnum(['key', 'person', 'operator', 'system'], { description: 'Kind of author.' }),
    userId: nullable(Type.String({ description: 'The person that the author acted for.' })),
    keyId: nullable(Type.String({ description: 'Key of the author.' })),
  },
  { description: 'Author of the change.' },
)
export type Actor = Static<typeof Actor>

const errorCode = nullable(Type.String(), { description: 'Why it failed; null if it did not.' })

export const toolCallId = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Id of the call, as the run shows it.',
  examples: ['call_1'],
})

export const PendingApproval = Type.Closed('PendingApproval', {
  runId: idOf('run', {
    description: 'Run to send the decision to: this run or one of its parts.',
  }),
  toolCallId,
  name: Type.String({ description: 'Name of the tool.' }),
  input: Type.Unknown({ description: 'Arguments of the call.' }),
  requestedAt: timestamp({ description: 'When the call started waiting.' }),
  expiresAt: timestamp({ description: 'When the run fails with `approval_expired` without a decision.' }),
})
export type PendingApproval = Static<typeof PendingApproval>

export const PendingToolCall = Type.Closed('PendingToolCall', {
  runId: idOf('run', {
    description: 'Run to send the result to: this run or one of its parts.',
  }),
  toolCallId,
  name: Type.String({ description: 'Name of the function.', examples: ['look_up_order'] }),
  input: Type.Unknown({
    description: 'Arguments of the call; they fit the `inputSchema` of the function.',
    examples: [{ number: 7 }],
  }),
  requestedAt: timestamp({ description: 'When the call started waiting.' }),
  expiresAt: timestamp({
    description: 'When the run fails with `tool_result_expired` without a result.',
  }),
})
export type PendingToolCall = Static<typeof PendingToolCall>

/**
 * The most characters that an event has of a run's metadata, answer and waiting calls. An event is sent whole, and
 * some receivers take only small requests.
 */
export const maxEventTexts = 65_536

/**
 * The parts of an event that are read from the run as it is now. The outbox does not store them, so erased texts are
 * erased here too.
 */
const RunTexts = Type.Object({
  metadata: nullable(metadata(), {
    description: "The run's metadata; null once the run is deleted, and for readers who may not read it.",
  }),
  output: nullable(Type.String(), {
    description:
      "The run's answer; null where it has none, where it is `truncated`, and where `metadata` is.",
  }),
  structuredOutput: Type.Unknown({
    description:
      'The answer as a value that fits `responseSchema`; null where `output` is, or without a schema.',
  }),
  pendingApprovals: Type.Array(PendingApproval, {
    description: 'Calls of a waiting run that need an approval now; none where it is `truncated`.',
  }),
  pendingToolCalls: Type.Array(PendingToolCall, {
    description: 'Calls of a waiting run that need a result now; none where it is `truncated`.',
  }),
  truncated: Type.Boolean({
    description: `True if the answer or the calls were left out because they and the metadata have more than ${maxEventTexts} characters; so is metadata that has more by itself. GET /runs/:id has all.`,
  }),
})
export type RunTexts = Static<typeof RunTexts>

export const RunSummary = Type.Closed(
  {
    id: idOf('run', { description: 'The run; GET /runs/:id has its steps and citations.' }),
    agentId: idOf('agent', { description: 'The agent that ran.' }),
    conversationId: idOf('conversation', { description: 'The conversation that it belongs to.' }),
    status: stringEnum(['succeeded', 'failed', 'cancelled', 'waiting'], {
      description: 'Status at the time of the event.',
    }),
    errorCode,
    usage: Type.Closed(
      {
        inputTokens: Type.Integer({ minimum: 0, description: 'Tokens that models read.' }),
        outputTokens: Type.Integer({ minimum: 0, description: 'Tokens that models wrote.' }),
        costUsd: nullable(Type.Number({ minimum: 0 }), {
          description: 'Cost in US dollars; null if the price is unknown.',
        }),
      },
      { description: 'Usage up to the event.' },
    ),
    createdAt: timestamp({ description: 'When the run was requested.' }),
    finishedAt: nullable(timestamp(), { description: 'When the run ended; null while it waits.' }),
    ...RunTexts.properties,
  },
  { description: 'The run with its answer, without its steps.' },
)
export type RunSummary = Static<typeof RunSummary>

/** The guide on documents says what each code means. */
export const DocumentWarning = Type.Closed('DocumentWarning', {
  code: Type.String({
    description:
      'What was not read: `pages_without_text`, `page_not_read`, `pictures_not_read`, `attachment_not_read`, `files_left_out`, `formula_flattened`, `part_not_read`, `text_cut` or `lines_added`. More codes may come.',
    examples: ['pictures_not_read'],
  }),
  count: Type.Integer({ minimum: 1, description: 'How often it was found.' }),
  pages: Type.Array(Type.Integer({ minimum: 1 }), {
    description: 'The pages concerned, ascending, at most 100; empty where it is not known to be on a page.',
  }),
})
export type DocumentWarning = Static<typeof DocumentWarning>

export const DocumentSummary = Type.Closed(
  {
    id: idOf('document', { description: 'The document; GET /knowledge/documents/:id has its name.' }),
    collectionId: idOf('collection', { description: 'The collection that it belongs to.' }),
    version: Type.Integer({ minimum: 1, description: 'Version of the document.' }),
    status: stringEnum(['ready', 'failed', 'deleted'], { description: 'Status at the time of the event.' }),
    errorCode,
    warnings: Type.Array(DocumentWarning, {
      description: 'What was not read of its file; empty unless it is `ready`.',
    }),
    erased: Type.Boolean({ description: 'True if it was permanently erased instead of moved to the trash.' }),
    actor: nullable(Actor, { description: 'Who deleted it; null unless it was deleted.' }),
  },
  { description: 'The document without its texts.' },
)

export const CollectionSummary = Type.Closed(
  {
    id: idOf('collection', { description: 'The collection.' }),
    documentCount: Type.Integer({ minimum: 0, description: 'Number of documents deleted with it.' }),
    erased: Type.Boolean({ description: 'True if it was permanently erased instead of moved to the trash.' }),
    actor: Actor,
  },
  { description: 'A deleted collection.' },
)

export const ConnectionSummary = Type.Closed(
  {
    id: idOf('connection', { description: 'The connection.' }),
    integrationId: Type.String({ description: 'The integration of the catalog.' }),
    status: stringEnum(['active', 'needs_reauth', 'failed', 'deleted'], {
      description: 'Status at the time of the event.',
    }),
    errorCode,
    actor: Actor,
  },
  { description: 'The connection without its credentials.' },
)

export const ConnectionToolsSummary = Type.Closed(
  {
    id: idOf('connection', { description: 'The connection.' }),
    integrationId: Type.String({ description: 'The integration of the catalog.' }),
    changed: Type.Array(Type.String(), {
      description:
        'Names of accepted tools that the server offers otherwise now; see GET /integrations/:id/tools.',
    }),
    missing: Type.Array(Type.String(), {
      description: 'Names of accepted tools that the server does not list any more.',
    }),
    actor: Actor,
  },
  { description: 'The tools that agents have lost.' },
)

const count = (what: string) => Type.Integer({ minimum: 0, description: `Number of ${what} documents.` })

export const ConnectionSyncSummary = Type.Closed(
  {
    id: idOf('connection', { description: 'The connection.' }),
    integrationId: Type.String({ description: 'The integration of the catalog.' }),
    syncId: idOf('connectionSync', {
      description: 'Id of the sync; see GET /integrations/:id/syncs/:syncId.',
    }),
    collectionId: idOf('collection', { description: 'Collection of the documents.' }),
    status: stringEnum(['succeeded', 'failed'], { description: 'How it ended.' }),
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    failed: count('failed'),
    errorCode,
    actor: Actor,
  },
  { description: 'Result of the sync.' },
)

const role = stringEnum(['owner', 'admin', 'member', 'viewer'])

export const MemberSummary = Type.Closed(
  {
    id: idOf('member', { description: 'The member; GET /workspace/members/:id has the name.' }),
    userId: idOf('user', { description: 'The person.' }),
    role,
    previousRole: nullable(role, {
      description: 'Role before the change; null if it did not change.',
    }),
    actor: Actor,
  },
  { description: 'The member at the time of the event.' },
)

export const KeySummary = Type.Closed(
  {
    id: idOf('key', { description: 'The key; never its secret.' }),
    userId: idOf('user', { description: 'User that the key acts for.' }),
    actor: Actor,
  },
  { description: 'The key.' },
)

const limitNames = ['storage', 'agent_budget', 'workspace_budget'] as const

export const LimitSummary = Type.Closed(
  {
    limit: stringEnum(limitNames, { description: 'The limit that was reached.' }),
    agentId: nullable(idOf('agent'), { description: 'The agent with the budget; null for other limits.' }),
    max: Type.Number({ minimum: 0, description: 'The limit, in bytes or in US dollars per month.' }),
    used: Type.Number({ minimum: 0, description: 'Usage when a request was refused.' }),
  },
  { description: 'The limit and its usage.' },
)
export type LimitSummary = Static<typeof LimitSummary>

/** Why a schedule or a trigger starts no more runs. */
export const stopReasons = ['access_ended', 'permission_missing', 'agent_unreachable'] as const
export type StopReason = (typeof stopReasons)[number]

const starterSummary = (kind: 'schedule' | 'trigger') =>
  Type.Closed(
    {
      id: idOf(kind, { description: `The ${kind}.` }),
      agentId: idOf('agent', { description: 'Its agent.' }),
      reason: stringEnum(stopReasons, {
        description:
          '`access_ended`: the key or member that it acts for is gone. `permission_missing`: they lost a permission that the run needs. `agent_unreachable`: the agent is out of their reach.',
      }),
    },
    { description: `The ${kind}, which starts no more runs.` },
  )
export const ScheduleSummary = starterSummary('schedule')
export const TriggerSummary = starterSummary('trigger')

/** Why the server disables an endpoint. */
export const disabledReasons = ['gone', 'failing', 'creator_lost_access'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const WebhookSummary = Type.Closed(
  {
    id: idOf('webhook', { description: 'The endpoint.' }),
    reason: nullable(stringEnum(disabledReasons), {
      description:
        '`gone`: it answered 410. `failing`: nothing has been delivered for five days. `creator_lost_access`: the member who made it was removed or may no longer manage webhooks. Null for a test.',
    }),
  },
  { description: 'The endpoint.' },
)
