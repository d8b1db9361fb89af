/** What the outbox is told of keys: that one was made, given a new secret or revoked; never what it is. */
import type { Caller, Environment } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
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
    at: number
  },
): Promise<void> {
  const { type, id, environment, user_id: userId, at } = key
  await outbox.record(tx, {
    ...{ workspaceId: caller.scope.workspaceId, environment, type, at },
    data: { id, userId, actor: actorOf(caller) },
  })
}
