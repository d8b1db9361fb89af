/** Workspaces and who belongs to them: members, invitations, teams, and what teams keep to themselves. */
import type { Feature } from '../../http/feature.ts'
import type { Plan } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { type AcceptanceService, createAcceptanceService, type People } from './acceptance-service.ts'
import { type AccessService, createAccessService } from './access-service.ts'
import { createInvitationMailQueue, invitationMailQueue } from './invitations-mail.ts'
import { invitationRoutes } from './invitations-routes.ts'
import { createInvitationService, type InvitationService } from './invitations-service.ts'
import { createWorkspaceLifeService, type WorkspaceLifeService } from './life-service.ts'
import type { MemberWebhooks } from './member-changes.ts'
import { memberRoutes } from './members-routes.ts'
import { createMemberService, type MemberService } from './members-service.ts'
import { ownMembershipRoutes } from './own-membership-routes.ts'
import { createOwnMembershipService, type OwnMembershipService } from './own-membership-service.ts'
import { workspaceRoutes } from './routes.ts'
import { createWorkspaceService, type WorkspaceService } from './service.ts'
import {
  createServiceAccountService,
  type PeopleToCreate,
  type ServiceAccountService,
} from './service-accounts-service.ts'
import { teamMemberRoutes } from './team-members-routes.ts'
import { createTeamMemberService, type TeamMemberService } from './team-members-service.ts'
import { teamRoutes } from './teams-routes.ts'
import { createTeamService, type TeamService } from './teams-service.ts'

export type WorkspacesServices = {
  workspaces: WorkspaceService
  access: AccessService
  members: MemberService
  invitations: InvitationService
  acceptance: AcceptanceService
  teams: TeamService
  teamMembers: TeamMemberService
  ownMembership: OwnMembershipService
  serviceAccounts: ServiceAccountService
  workspaceLife: WorkspaceLifeService
}

export function createWorkspacesFeature(
  platform: Platform,
  earlier: {
    audit: AuditService
    outbox: Outbox
    people: People & PeopleToCreate
    memberWebhooks: MemberWebhooks
    memberLimit: (plan: Plan) => number
    /** Called once what a member may do has changed. */
    onChange: () => void
  },
): Feature<WorkspacesServices> {
  const { settings, clock } = platform
  const shared = { ...platform, ...earlier }
  const services: WorkspacesServices = {
    workspaces: createWorkspaceService(shared),
    access: createAccessService(shared),
    members: createMemberService(shared),
    invitations: createInvitationService(shared),
    acceptance: createAcceptanceService(shared),
    teams: createTeamService(shared),
    teamMembers: createTeamMemberService(shared),
    ownMembership: createOwnMembershipService(shared),
    serviceAccounts: createServiceAccountService(shared),
    workspaceLife: createWorkspaceLifeService({ ...shared, graceMs: settings.workspaceGraceMs }),
  }
  return {
    services,
    routes: [
      ...workspaceRoutes(services),
      ...ownMembershipRoutes(services.ownMembership),
      ...memberRoutes(services),
      ...invitationRoutes({ ...services, clock }),
      ...teamRoutes(services.teams),
      ...teamMemberRoutes(services.teamMembers),
    ],
    workspaceData: {
      slices: [
        { table: 'invitations', key: ['id'] },
        { table: 'teams', key: ['id'] },
      ],
    },
    queues: { [invitationMailQueue]: createInvitationMailQueue(platform) },
  }
}
