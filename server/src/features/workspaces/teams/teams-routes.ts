/** The endpoints of teams. */
import {
  createdRecord,
  defineRoute,
  listed,
  noContent,
  okRecord,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { presentMember } from '../members/members-service.ts'
import { Member, memberExample } from '../records/members-schemas.ts'
import { NewTeam, Team, TeamChange, teamExample } from './teams-schemas.ts'
import { presentTeam, type TeamService } from './teams-service.ts'

export const teamRoutes = (teams: TeamService): Route[] => [
  ...teamReads(teams),
  ...teamChanges(teams),
  ...teamMemberRoutes(teams),
]

const teamReads = (teams: TeamService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace/teams',
    operationId: 'listTeams',
    summary: 'List teams',
    description: 'Teams of the workspace. Test keys see the same teams as live keys.',
    permission: 'members:read',
    list: {
      ...standardList,
      sorts: ['createdAt', 'updatedAt', 'name'],
      dates: ['created', 'updated'],
      named: 'name or description',
    },
    data: Type.Array(Team),
    example: [teamExample],
    handle: async ({ caller, page }) => listed(await teams.list(caller, page), page, presentTeam),
  }),
  defineRoute({
    method: 'GET',
    path: '/workspace/teams/:id',
    operationId: 'getTeam',
    summary: 'Get a team',
    description: 'Returns one team with the number of its members and of the resources limited to it.',
    permission: 'members:read',
    data: Team,
    example: teamExample,
    handle: async ({ caller, params }) => okRecord(await teams.get(caller, params.id), presentTeam),
  }),
]

const teamChanges = (teams: TeamService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/workspace/teams',
    operationId: 'createTeam',
    summary: 'Create a team',
    description: 'Creates a team without members. Its name is unique in the workspace. Needs a live key.',
    permission: 'teams:write',
    audit: 'team.create',
    wholeWorkspace: true,
    liveOnly: true,
    body: NewTeam,
    bodyExample: { name: 'Support', description: 'Answers customers' },
    data: Team,
    example: teamExample,
    success: [201],
    errors: ['already_exists', 'limit_reached'],
    handle: async ({ caller, body }) =>
      createdRecord(await teams.create(caller, body), presentTeam, '/workspace/teams'),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/workspace/teams/:id',
    operationId: 'updateTeam',
    summary: 'Rename or describe a team',
    description: 'Changes the fields that you send. Needs a live key.',
    permission: 'teams:write',
    audit: 'team.update',
    wholeWorkspace: true,
    liveOnly: true,
    body: TeamChange,
    bodyExample: { description: 'Answers customers in all languages' },
    data: Team,
    example: teamExample,
    errors: ['already_exists', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      okRecord(await teams.update(caller, params.id, body, ifMatch), presentTeam),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace/teams/:id',
    operationId: 'deleteTeam',
    summary: 'Delete a team',
    description:
      'Its members stay members of the workspace. Only owners and admins can then access resources that were limited to this team alone. Needs a live key.',
    permission: 'teams:write',
    audit: 'team.delete',
    wholeWorkspace: true,
    liveOnly: true,
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const { memberIds } = await teams.remove(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([
        { effect: 'deleted', resource: 'team', count: 1, ids: [params.id] },
        { effect: 'detached', resource: 'member', count: memberIds.length, ids: memberIds },
      ])
    },
  }),
]

const teamMemberRoutes = (teams: TeamService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace/teams/:id/members',
    operationId: 'listTeamMembers',
    summary: 'List the members of a team',
    description: 'The same as listing members with `teamId`, but 404 if the team does not exist.',
    permission: 'members:read',
    list: { ...standardList, sorts: ['joinedAt', 'name'], named: 'name or e-mail address' },
    data: Type.Array(Member),
    example: [memberExample],
    handle: async ({ caller, params, page }) =>
      listed(await teams.listMembers(caller, params.id, page), page, presentMember),
  }),
  defineRoute({
    method: 'PUT',
    path: '/workspace/teams/:id/members/:memberId',
    operationId: 'addTeamMember',
    summary: 'Add a member to a team',
    description:
      "Changes nothing if the member is already in the team. `If-Match` takes the member's ETag. Needs a live key.",
    permission: 'teams:write',
    audit: 'team.member.add',
    wholeWorkspace: true,
    liveOnly: true,
    data: Member,
    example: memberExample,
    replyTexts: { 200: 'The member with its teams.' },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch }) =>
      okRecord(await teams.addMember(caller, params.id, params.memberId, ifMatch), presentMember),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace/teams/:id/members/:memberId',
    operationId: 'removeTeamMember',
    summary: 'Take a member out of a team',
    description:
      "The member stays a member of the workspace. `If-Match` takes the member's ETag. Needs a live key.",
    permission: 'teams:write',
    audit: 'team.member.remove',
    wholeWorkspace: true,
    liveOnly: true,
    destructive: true,
    success: [204],
    replyTexts: { 204: 'The member is out of the team. The reply has no body.' },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      await teams.removeMember(caller, params.id, params.memberId, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([{ effect: 'detached', resource: 'member', count: 1, ids: [params.memberId] }])
    },
  }),
]
