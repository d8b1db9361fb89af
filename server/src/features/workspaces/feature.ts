/** Workspaces and their members, invitations and teams, and the records that teams keep to themselves. */
import type { Feature } from '../../http/feature.ts'
import type { Plan } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { createAcceptanceService, type People } from './invitations/acceptance-service.ts'
import { invitationRoutes } from './invitations/invitations-routes.ts'
import {
  createInvitationMailQueue,
  createInvitationService,
  invitationMailQueue,
} from './invitations/invitations-service.ts'
import { createWorkspaceLifeService } from './life-service.ts'
import type { MemberWebhooks } from './members/member-changes.ts'
import { memberRoutes } from './members/members-routes.ts'
import {
  createMemberService,
  createServiceAccountService,
  type PeopleToCreate,
} from './members/members-service.ts'
import { workspaceRoutes } from './routes.ts'
import { createWorkspaceService } from './service.ts'
import { createAccessService } from './teams/access-service.ts'
import { teamRoutes } from './teams/teams-routes.ts'
import { createTeamService } from './teams/teams-service.ts'

export type WorkspacesServices = ReturnType<typeof createWorkspacesFeature>['services']

export function createWorkspacesFeature(
  platform: Platform,
  earlier: {
    audit: AuditService
    outbox: Outbox
    people: People & PeopleToCreate
    memberWebhooks: MemberWebhooks
    memberLimit: (plan: Plan) => number
    /** Called once the rights of a member have changed. */
    onChange: () => void
  },
) {
  const { settings, clock } = platform
  const shared = { ...platform, ...earlier }
  const services = {
    workspaces: createWorkspaceService(shared),
    access: createAccessService(shared),
    members: createMemberService(shared),
    invitations: createInvitationService(shared),
    acceptance: createAcceptanceService(shared),
    teams: createTeamService(shared),
    serviceAccounts: createServiceAccountService(shared),
    workspaceLife: createWorkspaceLifeService({ ...shared, graceMs: settings.workspaceGraceMs }),
  }
  return {
    services,
    tag: 'workspace',
    routes: [
      ...workspaceRoutes(services),
      ...memberRoutes(services),
      ...invitationRoutes({ ...services, clock }),
      ...teamRoutes(services.teams),
    ],
    workspaceData: {
      slices: [
        { table: 'invitations', key: ['id'] },
        { table: 'teams', key: ['id'] },
      ],
    },
    queues: { [invitationMailQueue]: createInvitationMailQueue(platform) },
  } satisfies Feature<object>
}
