/** The events of members: who joined, whose role was changed, who was removed or left. */
import type { Caller, Role } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'

/** In the transaction of the change. Members belong to the whole workspace, so their events are live. */
export async function recordMemberEvent(
  tx: Tx,
  outbox: Outbox,
  caller: Caller,
  member: {
    type: 'member.joined' | 'member.changed' | 'member.removed'
    id: string
    userId: string
    role: Role
    previousRole?: Role
    at: number
  },
): Promise<void> {
  const { type, id, userId, role, previousRole = null, at } = member
  await outbox.record(tx, {
    workspaceId: caller.scope.workspaceId,
    environment: 'live',
    at,
    type,
    data: { id, userId, role, previousRole, actor: actorOf(caller) },
  })
}
