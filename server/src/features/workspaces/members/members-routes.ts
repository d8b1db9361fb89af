/** The endpoints of members. */
import {
  createdRecord,
  defineRoute,
  type Effect,
  listed,
  noContent,
  okRecord,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { exampleId } from '../../../platform/schemas.ts'
import {
  Member,
  MemberChange,
  MemberFilter,
  memberExample,
  NewServiceAccount,
  OwnershipTransfer,
} from '../records/members-schemas.ts'
import type { Removal } from './member-changes.ts'
import { type MemberService, presentMember, type ServiceAccountService } from './members-service.ts'

export const memberRoutes = ({
  members,
  serviceAccounts,
}: {
  members: MemberService
  serviceAccounts: ServiceAccountService
}): Route[] => [
  ...ownMembershipRoutes(members),
  ...memberReads(members),
  createServiceAccountRoute(serviceAccounts),
  ...memberChanges(members),
]

/** The routes for members' decisions about their own place. */
const ownMembershipRoutes = (members: MemberService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/workspace/leave',
    operationId: 'leaveWorkspace',
    summary: 'Leave the workspace',
    description:
      'For people, with a token of the console. Your keys in the workspace and the pending invitations that you made are revoked at once, and your webhooks are disabled; `dryRun=true` lists them first. The last owner cannot leave (`last_owner`): transfer the workspace first, or delete it. Needs the live environment.',
    permission: 'any',
    audit: 'member.leave',
    liveOnly: true,
    destructive: true,
    success: [204],
    replyTexts: { 204: 'The caller has left the workspace. The reply has no body.' },
    errors: ['last_owner', 'membership_ended', 'permission_missing'],
    handle: async ({ caller, dryRun }) => {
      const removal = await members.leave(caller, { dryRun })
      return dryRun ? preview(removalEffects(removal)) : noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/workspace/transfer',
    operationId: 'transferWorkspace',
    summary: 'Hand the workspace over',
    description:
      'For owners, with a token of the console: a key cannot transfer the workspace (`permission_missing`). In one step the member becomes an owner and you become an admin. Pending invitations for owners that you made are revoked. Returns the new owner. Needs the live environment.',
    permission: 'members:write',
    audit: 'workspace.transfer',
    wholeWorkspace: true,
    liveOnly: true,
    body: OwnershipTransfer,
    bodyExample: { memberId: exampleId('member') },
    data: Member,
    example: { ...memberExample, role: 'owner' },
    replyTexts: { 200: 'The new owner.' },
    errors: ['membership_ended'],
    handle: async ({ caller, body }) =>
      okRecord(await members.transfer(caller, body.memberId), presentMember),
  }),
]

const memberReads = (members: MemberService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace/members',
    operationId: 'listMembers',
    summary: 'List members',
    description: 'People and service accounts of the workspace. Test keys see the same members as live keys.',
    permission: 'members:read',
    query: MemberFilter,
    list: { ...standardList, sorts: ['joinedAt', 'name'], named: 'name or e-mail address' },
    data: Type.Array(Member),
    example: [memberExample],
    handle: async ({ caller, query, page }) =>
      listed(await members.list(caller, query, page), page, presentMember),
  }),
  defineRoute({
    method: 'GET',
    path: '/workspace/members/:id',
    operationId: 'getMember',
    summary: 'Get a member',
    description: 'Returns one member by the id of the membership (`mem_…`).',
    permission: 'members:read',
    data: Member,
    example: memberExample,
    handle: async ({ caller, params }) => okRecord(await members.get(caller, params.id), presentMember),
  }),
]

const createServiceAccountRoute = (serviceAccounts: ServiceAccountService): Route =>
  defineRoute({
    method: 'POST',
    path: '/workspace/members',
    operationId: 'createServiceAccount',
    summary: 'Create a service account',
    description:
      "A member that is not a person, for keys that must outlive the people who create them: pass its id as `memberId` to `POST /api-keys`. It cannot sign in or be an owner, and it counts towards the plan's members. It cannot have a permission that the caller lacks (`permission_missing`). To invite a person, use `POST /workspace/members/invite`. Needs a live key.",
    permission: 'members:write',
    audit: 'member.create',
    wholeWorkspace: true,
    liveOnly: true,
    body: NewServiceAccount,
    bodyExample: { name: 'Nightly import', role: 'member' },
    data: Member,
    example: {
      ...memberExample,
      name: 'Nightly import',
      email: 'mem-01kajz4v7qf3x8m2c9t5b6n0rw@service.invalid',
      role: 'member',
      kind: 'service',
      teamIds: [],
    },
    success: [201],
    errors: ['member_limit'],
    handle: async ({ caller, body }) =>
      createdRecord(await serviceAccounts.create(caller, body), presentMember, '/workspace/members'),
  })

const memberChanges = (members: MemberService): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/workspace/members/:id',
    operationId: 'updateMember',
    summary: "Change a member's role",
    description:
      'Keys of the member follow the new role within seconds, and webhooks that the member made are disabled if the role cannot manage webhooks. A caller cannot change or give a role above its own, or give a permission that it lacks (`permission_missing`). Only a person can make someone an owner, in the console. The last owner cannot be demoted (`last_owner`). Needs a live key.',
    permission: 'members:write',
    audit: 'member.update',
    wholeWorkspace: true,
    liveOnly: true,
    body: MemberChange,
    bodyExample: { role: 'admin' },
    data: Member,
    example: memberExample,
    errors: ['last_owner', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      okRecord(await members.changeRole(caller, params.id, body.role, ifMatch), presentMember),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace/members/:id',
    operationId: 'deleteMember',
    summary: 'Remove a member',
    description:
      'The member loses access. Within seconds every key and pending invitation that the member made is revoked, and their webhooks are disabled, with a notice to owners and admins. `dryRun=true` lists them first. The last owner cannot be removed (`last_owner`). Needs a live key.',
    permission: 'members:write',
    audit: 'member.delete',
    wholeWorkspace: true,
    liveOnly: true,
    destructive: true,
    success: [204],
    errors: ['last_owner', 'precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const removal = await members.remove(caller, params.id, { ifMatch, dryRun })
      return dryRun ? preview(removalEffects(removal)) : noContent()
    },
  }),
]

const removalEffects = ({ memberId, keyIds, invitationIds, teamIds, webhookIds }: Removal): Effect[] => [
  { effect: 'deleted', resource: 'member', count: 1, ids: [memberId] },
  { effect: 'revoked', resource: 'api_key', count: keyIds.length, ids: keyIds },
  { effect: 'revoked', resource: 'invitation', count: invitationIds.length, ids: invitationIds },
  { effect: 'disabled', resource: 'webhook', count: webhookIds.length, ids: webhookIds },
  { effect: 'detached', resource: 'team', count: teamIds.length, ids: teamIds },
]
