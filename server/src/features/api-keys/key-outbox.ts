/** What the outbox is told of keys: that one was made, given a new secret or revoked; never what it is. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, type Environment, narrowingText } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { decodeJson, type Json } from '../../platform/database/json.ts'
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
  const { type, id, environment, user_id: userId, agent_ids, collection_ids, at } = key
  const narrowing = narrowingText(
    withoutUndefined({
      agentIds: agent_ids !== null ? decodeJson(agent_ids) : undefined,
      collectionIds: collection_ids !== null ? decodeJson(collection_ids) : undefined,
    }),
  )
  await outbox.record(tx, {
    workspaceId: caller.scope.workspaceId,
    environment,
    type,
    narrowing,
    at,
    data: { id, userId, actor: actorOf(caller) },
  })
}
