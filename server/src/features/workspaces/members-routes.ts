/** The members' endpoints. */
import Type from 'typebox'
import {
  defineRoute,
  type Effect,
  listed,
  noContent,
  ok,
  preview,
  type Route,
  standardList,
} from '../../http/route.ts'
import { etagOf } from '../../platform/revision.ts'
import { Member, MemberChange, MemberFilter, memberExample } from './members-schemas.ts'
import { type MemberService, presentMember, type Removal } from './members-service.ts'

export const memberRoutes = (members: MemberService): Route[] => [
  ...memberReads(members),
  ...memberChanges(members),
]

const memberReads = (members: MemberService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace/members',
    operationId: 'listMembers',
    tag: 'workspace',
    summary: 'List members',
    description:
      'The people and service accounts of the workspace. Test keys see the same members as live keys.',
    permission: 'members:read',
    query: MemberFilter,
    list: standardList,
    data: Type.Array(Member),
    example: [memberExample],
    success: [200],
    errors: [],
    handle: async ({ caller, query, page }) => {
      const rows = await members.list(caller, query, page)
      return listed({ items: rows.items.map(presentMember), total: rows.total }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/workspace/members/:id',
    operationId: 'getMember',
    tag: 'workspace',
    summary: 'Get a member',
    description: 'One member, by the id of the membership (`mem_…`).',
    permission: 'members:read',
    data: Member,
    example: memberExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params }) => {
      const member = await members.get(caller, params.id)
      return ok(presentMember(member), etagOf(member))
    },
  }),
]

const memberChanges = (members: MemberService): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/workspace/members/:id',
    operationId: 'updateMember',
    tag: 'workspace',
    summary: "Change a member's role",
    description:
      'Keys of the member can do what the new role allows within seconds. Nobody changes a role above their own or gives one, so only owners make and demote owners. The last owner cannot be demoted (`last_owner`). Needs a live key.',
    permission: 'members:write',
    audit: 'member.update',
    liveOnly: true,
    body: MemberChange,
    bodyExample: { role: 'admin' },
    data: Member,
    example: memberExample,
    success: [200],
    errors: ['last_owner', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const member = await members.changeRole(caller, params.id, body.role, ifMatch)
      return ok(presentMember(member), etagOf(member))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace/members/:id',
    operationId: 'deleteMember',
    tag: 'workspace',
    summary: 'Remove a member',
    description:
      'The member loses access, and every key and pending invitation that they made is revoked within seconds; `dryRun=true` lists those first. The last owner cannot be removed (`last_owner`). Needs a live key.',
    permission: 'members:write',
    audit: 'member.delete',
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

const removalEffects = ({ memberId, keyIds, invitationIds, teamIds }: Removal): Effect[] => [
  { effect: 'deleted', resource: 'member', count: 1, ids: [memberId] },
  { effect: 'revoked', resource: 'key', count: keyIds.length, ids: keyIds },
  { effect: 'revoked', resource: 'invitation', count: invitationIds.length, ids: invitationIds },
  { effect: 'detached', resource: 'team', count: teamIds.length, ids: teamIds },
]
