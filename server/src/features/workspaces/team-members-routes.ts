/** The endpoints for who belongs to which team. */

import { defineRoute, listed, noContent, ok, preview, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { etagOf } from '../../platform/revision.ts'
import { Member, memberExample } from './members-schemas.ts'
import { presentMember } from './members-service.ts'
import type { TeamMemberService } from './team-members-service.ts'

export const teamMemberRoutes = (teamMembers: TeamMemberService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace/teams/:id/members',
    operationId: 'listTeamMembers',
    tag: 'workspace',
    summary: 'List the members of a team',
    description: 'The same as the list of members with `teamId`, but a 404 where there is no such team.',
    permission: 'members:read',
    list: standardList,
    data: Type.Array(Member),
    example: [memberExample],
    success: [200],
    errors: [],
    handle: async ({ caller, params, page }) => {
      const rows = await teamMembers.list(caller, params.id, page)
      return listed({ items: rows.items.map(presentMember), total: rows.total }, page)
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/workspace/teams/:id/members/:memberId',
    operationId: 'addTeamMember',
    tag: 'workspace',
    summary: 'Add a member to a team',
    description:
      'Does nothing where the member is in the team already. A key that is narrowed to some agents or collections cannot do it: a team may reach others (`permission_missing`). `If-Match` takes the ETag of the member. Needs a live key.',
    permission: 'teams:write',
    audit: 'team.member.add',
    liveOnly: true,
    data: Member,
    example: memberExample,
    success: [200],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch }) => {
      const member = await teamMembers.add(caller, params.id, params.memberId, ifMatch)
      return ok(presentMember(member), etagOf(member))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace/teams/:id/members/:memberId',
    operationId: 'removeTeamMember',
    tag: 'workspace',
    summary: 'Take a member out of a team',
    description:
      'The member stays a member of the workspace. `If-Match` takes the ETag of the member. Needs a live key.',
    permission: 'teams:write',
    audit: 'team.member.remove',
    liveOnly: true,
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      await teamMembers.remove(caller, params.id, params.memberId, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([{ effect: 'detached', resource: 'member', count: 1, ids: [params.memberId] }])
    },
  }),
]
