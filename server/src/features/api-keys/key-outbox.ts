import { type Caller, type Environment, narrowingText } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Json } from '../../platform/database/json.ts'
import { narrowingOfRow } from '../../platform/database/within-reach.ts'
import { actorOf, type Outbox } from '../events/outbox-service.ts'

/** In the transaction of the change, and in the environment of the key, whoever made the change. */
export async function recordKeyEvent(
  tx: Tx,
  outbox: Outbox,
  caller: Caller,
  key: {
    type: 'key.created' | 'key.rotated' | 'key.revoked'
    id: string
    environment: Environment
    user_id: string
    agent_ids: Json<string[]> | null
    collection_ids: Json<string[]> | null
    at: number
  },
): Promise<void> {
  const { type, id, environment, user_id: userId, at } = key
  await outbox.record(tx, {
    workspaceId: caller.scope.workspaceId,
    environment,
    type,
    narrowing: narrowingText(narrowingOfRow(key)),
    at,
    data: { id, userId, actor: actorOf(caller) },
  })
}
