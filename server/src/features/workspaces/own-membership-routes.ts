/** The endpoints by which members decide about their own place. */
import { defineRoute, noContent, ok, preview, type Route } from '../../http/route.ts'
import { etagOf } from '../../platform/revision.ts'
import { exampleId } from '../../platform/schemas.ts'
import { removalEffects } from './members-routes.ts'
import { Member, memberExample, OwnershipTransfer } from './members-schemas.ts'
import { presentMember } from './members-service.ts'
import type { OwnMembershipService } from './own-membership-service.ts'

export const ownMembershipRoutes = (ownMembership: OwnMembershipService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/workspace/leave',
    operationId: 'leaveWorkspace',
    tag: 'workspace',
    summary: 'Leave the workspace',
    description:
      'For persons, with a token of the console. Your keys in the workspace and the pending invitations that you made are revoked at once, and your webhooks are disabled; `dryRun=true` lists them first. The last owner cannot leave (`last_owner`): hand the workspace over before, or delete it. Needs the live environment.',
    permission: 'any',
    audit: 'member.leave',
    liveOnly: true,
    destructive: true,
    success: [204],
    errors: ['last_owner', 'conflict', 'permission_missing'],
    handle: async ({ caller, dryRun }) => {
      const removal = await ownMembership.leave(caller, { dryRun })
      return dryRun ? preview(removalEffects(removal)) : noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/workspace/transfer',
    operationId: 'transferWorkspace',
    tag: 'workspace',
    summary: 'Hand the workspace over',
    description:
      'For owners, with a token of the console: a key cannot hand the workspace over (`permission_missing`). The member becomes an owner and you become an admin, in one step. Pending invitations to owners that you made are revoked. Answers the new owner. Needs the live environment.',
    permission: 'members:write',
    audit: 'workspace.transfer',
    liveOnly: true,
    body: OwnershipTransfer,
    bodyExample: { memberId: exampleId('member') },
    data: Member,
    example: { ...memberExample, role: 'owner' },
    success: [200],
    errors: ['conflict'],
    handle: async ({ caller, body }) => {
      const owner = await ownMembership.transfer(caller, body.memberId)
      return ok(presentMember(owner), etagOf(owner))
    },
  }),
]
