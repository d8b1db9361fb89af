/** Who belongs to a workspace, and how they come and go. */
import type { Dependencies } from './dependencies.ts'
import { type AcceptanceService, createAcceptanceService } from './features/workspaces/acceptance-service.ts'
import { createInvitationService, type InvitationService } from './features/workspaces/invitations-service.ts'
import { createWorkspaceLifeService, type WorkspaceLifeService } from './features/workspaces/life-service.ts'
import { createMemberService, type MemberService } from './features/workspaces/members-service.ts'
import {
  createOwnMembershipService,
  type OwnMembershipService,
} from './features/workspaces/own-membership-service.ts'
import {
  createServiceAccountService,
  type ServiceAccountService,
} from './features/workspaces/service-accounts-service.ts'
import {
  createTeamMemberService,
  type TeamMemberService,
} from './features/workspaces/team-members-service.ts'
import { createTeamService, type TeamService } from './features/workspaces/teams-service.ts'

export type PeopleServices = {
  members: MemberService
  invitations: InvitationService
  acceptance: AcceptanceService
  teams: TeamService
  teamMembers: TeamMemberService
  ownMembership: OwnMembershipService
  serviceAccounts: ServiceAccountService
  workspaceLife: WorkspaceLifeService
}

type Given = Dependencies &
  Parameters<typeof createServiceAccountService>[0] &
  Parameters<typeof createMemberService>[0] &
  Parameters<typeof createInvitationService>[0] &
  Parameters<typeof createAcceptanceService>[0]

export function createPeopleServices(given: Given): PeopleServices {
  return {
    members: createMemberService(given),
    invitations: createInvitationService(given),
    acceptance: createAcceptanceService(given),
    teams: createTeamService(given),
    teamMembers: createTeamMemberService(given),
    ownMembership: createOwnMembershipService(given),
    serviceAccounts: createServiceAccountService(given),
    workspaceLife: createWorkspaceLifeService({ ...given, graceMs: given.settings.workspaceGraceMs }),
  }
}
