/** Writes the outbox: an event is written with its change, so a change that is rolled back has no event. */
import { type Caller, keyIdOf, narrowingOf, narrowingText, type Scope } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { encodeJson } from '../../platform/database/json.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Actor } from './data-schemas.ts'
import { type EventContent, type EventType, isOfNarrowed } from './schemas.ts'
import { insertEvent, insertEventOnce } from './store.ts'

/** The workspace and environment of an event, and what a narrowed key must reach to see the event. */
type Concern = {
  workspaceId: string
  environment: Scope['environment']
  agentId?: string
  collectionId?: string
  /**
   * For a run: the narrowing under which the run was made, as `narrowingOf` writes it. For a key or an endpoint: its
   * own narrowing, as `narrowingText` writes it.
   */
  narrowing?: string | null
}

/** The URL that also gets the events of a run, and the narrowing of the run's author. */
export type Callback = { url: string; runId: string } & Pick<Scope, 'agentIds' | 'collectionIds'>

export type Occurrence = EventContent &
  Concern & {
    at: number
    callback?: Callback | undefined
    /** Set on an event that happens only once. A second event with the same key is not written. */
    uniqueKey?: string
  }

export type RecordedEvent = Concern & {
  id: string
  type: EventType
  at: number
  callback?: Callback | undefined
}

export type Outbox = ReturnType<typeof createOutbox>

/** Called in the event's transaction. Adds deliveries to the webhooks that receive the event. */
export type OnRecorded = (tx: Tx, event: RecordedEvent) => Promise<void>

export function createOutbox(dependencies: { newId: NewId; onRecorded: OnRecorded }) {
  const { newId, onRecorded } = dependencies
  return {
    /** Writes an event in the transaction of its change. Returns the event's id, or null if it was written before. */
    async record(tx: Tx, { uniqueKey, ...occurrence }: Occurrence): Promise<string | null> {
      const { workspaceId, environment, type, data, agentId, collectionId, narrowing, at } = occurrence
      const id = newId('event')
      const row = {
        id,
        workspace_id: workspaceId,
        environment,
        type,
        data: encodeJson<Record<string, unknown>>(data),
        agent_id: agentId ?? null,
        collection_id: collectionId ?? null,
        narrowing: narrowing ?? null,
        unique_key: uniqueKey ?? null,
        created_at: at,
      }
      if (uniqueKey === undefined) await insertEvent(tx, row)
      else if (!(await insertEventOnce(tx, row))) return null
      await onRecorded(tx, { ...occurrence, id })
      return id
    },
  }
}

/** Whether a scope of the event's workspace and environment sees the event. The list of events uses the same rule. */
export function isSeenBy(
  scope: Scope,
  { type, agentId, collectionId, narrowing = null }: Concern & Pick<RecordedEvent, 'type'>,
): boolean {
  const own = narrowingText(scope)
  if (own !== '' && isOfNarrowed(type)) return narrowing === own
  const { agentIds, collectionIds, withheld } = scope
  if (withheld !== undefined) {
    if (agentId !== undefined && withheld.agentIds.includes(agentId)) return false
    if (collectionId !== undefined && withheld.collectionIds.includes(collectionId)) return false
  }
  if (agentIds !== undefined && agentId !== undefined && !agentIds.includes(agentId)) return false
  if (collectionIds === undefined) return true
  if (collectionId !== undefined) return collectionIds.includes(collectionId)
  return agentId === undefined || narrowing === narrowingOf(scope)
}

export const actorOf = (caller: Caller): Actor => ({
  kind: caller.kind,
  userId: caller.userId,
  keyId: keyIdOf(caller),
})
