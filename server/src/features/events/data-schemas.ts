/** The `data` of events by what they are about: ids and states, never texts, so that what is erased need not be looked for here. */
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const Actor = Type.Object(
  {
    kind: stringEnum(['key', 'person', 'operator', 'system'], { description: 'What kind of author it was.' }),
    userId: nullable(Type.String({ description: 'The person on whose behalf it was done.' })),
    keyId: nullable(Type.String({ description: 'The key that did it.' })),
  },
  { title: 'EventActor', additionalProperties: false, description: 'Who did it.' },
)
export type Actor = Static<typeof Actor>

const errorCode = nullable(Type.String(), { description: 'Why it failed; null unless it did.' })

export const RunSummary = Type.Object(
  {
    id: idOf('run', { description: 'The run; GET /runs/:id has its texts.' }),
    agentId: idOf('agent', { description: 'The agent that ran.' }),
    conversationId: idOf('conversation', { description: 'The conversation that it belongs to.' }),
    status: stringEnum(['succeeded', 'failed', 'cancelled', 'waiting'], { description: 'As it was then.' }),
    errorCode,
    usage: Type.Object(
      {
        inputTokens: Type.Integer({ minimum: 0 }),
        outputTokens: Type.Integer({ minimum: 0 }),
        costUsd: nullable(Type.Number({ minimum: 0 }), { description: 'Null where the price is not known.' }),
      },
      { additionalProperties: false, description: 'What it had used by then.' },
    ),
    createdAt: timestamp({ description: 'When the run was asked for.' }),
    finishedAt: nullable(timestamp(), { description: 'When it ended; null while it waits.' }),
  },
  { additionalProperties: false, description: 'The run without its texts.' },
)
export type RunSummary = Static<typeof RunSummary>

export const DocumentSummary = Type.Object(
  {
    id: idOf('document', { description: 'The document; GET /knowledge/documents/:id has its name.' }),
    collectionId: idOf('collection', { description: 'The collection that it belongs to.' }),
    version: Type.Integer({ minimum: 1, description: 'The version that it is about.' }),
    status: stringEnum(['ready', 'failed', 'deleted'], { description: 'As it was then.' }),
    errorCode,
    erased: Type.Boolean({ description: 'True where it was deleted for good, without the trash.' }),
    actor: nullable(Actor, { description: 'Who deleted it; null where it was not deleted.' }),
  },
  { additionalProperties: false, description: 'The document without its texts.' },
)

export const CollectionSummary = Type.Object(
  {
    id: idOf('collection', { description: 'The collection.' }),
    documentCount: Type.Integer({ minimum: 0, description: 'How many documents went with it.' }),
    erased: Type.Boolean({ description: 'True where it was deleted for good, without the trash.' }),
    actor: Actor,
  },
  { additionalProperties: false, description: 'A collection that was deleted with all of its documents.' },
)

export const ConnectionSummary = Type.Object(
  {
    id: idOf('connection', { description: 'The connection.' }),
    integrationId: Type.String({ description: 'The integration of the catalog.' }),
    status: stringEnum(['active', 'needs_reauth', 'failed', 'deleted'], { description: 'As it was then.' }),
    errorCode,
    actor: Actor,
  },
  { additionalProperties: false, description: 'The connection without its credentials.' },
)

const count = Type.Integer({ minimum: 0 })

export const ConnectionSyncSummary = Type.Object(
  {
    id: idOf('connection', { description: 'The connection.' }),
    integrationId: Type.String({ description: 'The integration of the catalog.' }),
    syncId: idOf('connectionSync', { description: 'GET /integrations/:id/syncs/:syncId has the whole.' }),
    collectionId: idOf('collection', { description: 'What the documents went into.' }),
    status: stringEnum(['succeeded', 'failed'], { description: 'How it ended.' }),
    added: count,
    changed: count,
    unchanged: count,
    deleted: count,
    failed: count,
    errorCode,
    actor: Actor,
  },
  { additionalProperties: false, description: 'What the sync came to.' },
)

const role = stringEnum(['owner', 'admin', 'member', 'viewer'])

export const MemberSummary = Type.Object(
  {
    id: idOf('member', { description: 'The member; GET /workspace/members/:id has the name.' }),
    userId: idOf('user', { description: 'The person.' }),
    role,
    previousRole: nullable(role, {
      description: 'What the role was before it was changed; null unless it was.',
    }),
    actor: Actor,
  },
  { additionalProperties: false, description: 'The member as it was then.' },
)

export const KeySummary = Type.Object(
  {
    id: idOf('key', { description: 'The key; never its secret.' }),
    userId: idOf('user', { description: 'The member for whom it acts.' }),
    actor: Actor,
  },
  { additionalProperties: false, description: 'The key.' },
)

const limitNames = ['storage', 'agent_budget', 'workspace_budget'] as const

export const LimitSummary = Type.Object(
  {
    limit: stringEnum(limitNames, { description: 'The limit that refused something.' }),
    agentId: nullable(idOf('agent'), { description: 'The agent whose budget it is; null for other limits.' }),
    max: Type.Number({ minimum: 0, description: 'The limit: bytes, or US dollars in a month.' }),
    used: Type.Number({ minimum: 0, description: 'What was in use when something more was refused.' }),
  },
  { additionalProperties: false, description: 'The limit and what is used of it.' },
)
export type LimitSummary = Static<typeof LimitSummary>

/** Why the server gives an endpoint up. */
export const disabledReasons = ['gone', 'failing', 'creator_lost_access'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const WebhookSummary = Type.Object(
  {
    id: idOf('webhook', { description: 'The endpoint.' }),
    reason: nullable(stringEnum(disabledReasons), {
      description:
        '`gone`: it answered 410. `failing`: nothing has been delivered for five days. `creator_lost_access`: the member who made it was removed or may no longer manage webhooks. Null for a test.',
    }),
  },
  { additionalProperties: false, description: 'The endpoint.' },
)
