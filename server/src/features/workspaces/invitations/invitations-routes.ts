/** The endpoints of invitations. */
import {
  created,
  defineRoute,
  listed,
  ok,
  okRecord,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId } from '../../../platform/schemas.ts'
import {
  AcceptedInvitation,
  Invitation,
  InvitationAcceptance,
  InvitationFilter,
  IssuedInvitation,
  invitationExample,
  NewInvitation,
} from '../records/invitations-schemas.ts'
import type { AcceptanceService } from './acceptance-service.ts'
import {
  type InvitationService,
  type IssuedInvitationRow,
  presentInvitation,
  statusOf,
} from './invitations-service.ts'

type Services = { invitations: InvitationService; acceptance: AcceptanceService; clock: Clock }

export const invitationRoutes = (services: Services): Route[] => [
  ...invitationReads(services),
  inviteRoute(services),
  ...invitationChanges(services),
  acceptRoute(services),
]

const invitationReads = ({ invitations, clock }: Services): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace/invitations',
    operationId: 'listInvitations',
    summary: 'List invitations',
    description:
      'Invitations in every status. A test key sees invitations made by test keys, a live key the real ones.',
    permission: 'members:read',
    query: InvitationFilter,
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(Invitation),
    example: [invitationExample],
    handle: async ({ caller, query, page }) =>
      listed(await invitations.list(caller, query, page), page, row => presentInvitation(row, clock())),
  }),
  defineRoute({
    method: 'GET',
    path: '/workspace/invitations/:id',
    operationId: 'getInvitation',
    summary: 'Get an invitation',
    description:
      'Returns one invitation with the delivery status of its mail. The link is not shown again; to get a new one, resend the invitation.',
    permission: 'members:read',
    data: Invitation,
    example: invitationExample,
    handle: async ({ caller, params }) =>
      okRecord(await invitations.get(caller, params.id), row => presentInvitation(row, clock())),
  }),
]

const inviteRoute = ({ invitations, clock }: Services): Route =>
  defineRoute({
    method: 'POST',
    path: '/workspace/members/invite',
    operationId: 'inviteMember',
    summary: 'Invite a new member',
    description:
      'Mails a link that works once, for seven days. If the operator has configured no mail server, the reply has the link as `acceptUrl`, only this once. An address that is already a member or has a pending invitation is a 409. Members and pending invitations together count towards the plan (`member_limit`). A key can invite only to roles without permissions that it lacks, and to teams only with `teams:write` (`permission_missing`). Only a person can invite an owner, in the console. Invitations by a test key are simulated: no mail is sent, and accepting one creates no member.',
    permission: 'members:write',
    audit: 'invitation.create',
    wholeWorkspace: true,
    body: NewInvitation,
    bodyExample: { email: 'grace@example.com', role: 'member', message: 'Welcome aboard!' },
    data: IssuedInvitation,
    example: issuedExample,
    secrets: ['acceptUrl'],
    success: [201],
    replyTexts: { 201: 'The invitation, with its link if no mail was sent.' },
    errors: ['already_invited', 'already_member', 'member_limit'],
    handle: async ({ caller, body }) => {
      const issued = await invitations.create(caller, body)
      const location = `/workspace/invitations/${issued.row.id}`
      return created(presentIssued(issued, clock()), location, etagOf(issued.row))
    },
  })

const invitationChanges = ({ invitations, clock }: Services): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/workspace/invitations/:id/resend',
    operationId: 'resendInvitation',
    summary: 'Send an invitation again',
    description:
      'Creates a new link, valid for seven days from now, and ends the old one. Needs the same permissions as creating the invitation. Works for pending and expired invitations; an answered or revoked one is a 409.',
    permission: 'members:write',
    audit: 'invitation.resend',
    wholeWorkspace: true,
    data: IssuedInvitation,
    example: issuedExample,
    secrets: ['acceptUrl'],
    replyTexts: { 200: 'The invitation with a new link, and a new time in which it can be accepted.' },
    errors: ['already_invited', 'already_member', 'invitation_ended', 'member_limit', 'precondition_failed'],
    handle: async ({ caller, params, ifMatch }) => {
      const issued = await invitations.resend(caller, params.id, ifMatch)
      return ok(presentIssued(issued, clock()), etagOf(issued.row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/workspace/invitations/:id/revoke',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'Ends the link of a pending invitation. An invitation in any other status is a 409.',
    permission: 'members:write',
    audit: 'invitation.revoke',
    wholeWorkspace: true,
    destructive: true,
    data: Invitation,
    example: { ...invitationExample, status: 'revoked' },
    errors: ['invitation_ended', 'precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      if (dryRun) {
        const row = await invitations.get(caller, params.id)
        const ids = statusOf(row, clock()) === 'pending' ? [row.id] : []
        return preview([{ effect: 'revoked', resource: 'invitation', count: ids.length, ids }])
      }
      const row = await invitations.revoke(caller, params.id, ifMatch)
      return okRecord(row, row => presentInvitation(row, clock()))
    },
  }),
]

const acceptRoute = ({ acceptance, clock }: Services): Route =>
  defineRoute({
    method: 'POST',
    path: '/workspace/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation for the invited person',
    description:
      'For applications with their own page for new members; otherwise people accept at the link itself, which needs no key. The key belongs to the inviting workspace, and the token from the link shows that the invited person agreed. Works once. An invitation made by a test key is only marked as accepted.',
    permission: 'members:write',
    audit: 'invitation.accept',
    wholeWorkspace: true,
    body: InvitationAcceptance,
    bodyExample: { token: '4Zq0…', name: 'Grace Hopper' },
    data: AcceptedInvitation,
    example: { ...invitationExample, status: 'accepted', memberId: exampleId('member') },
    replyTexts: { 200: 'The accepted invitation, and the new member.' },
    errors: ['already_member', 'invitation_ended', 'member_limit'],
    handle: async ({ caller, body }) => {
      const { row, memberId } = await acceptance.accept(caller, body)
      return ok({ ...presentInvitation(row, clock()), memberId }, etagOf(row))
    },
  })

const presentIssued = ({ row, acceptUrl }: IssuedInvitationRow, nowMs: number): IssuedInvitation => ({
  ...presentInvitation(row, nowMs),
  acceptUrl,
})

const issuedExample: IssuedInvitation = {
  ...invitationExample,
  acceptUrl: 'https://atrium.example.com/invitations/4Zq0b7Xh2mWc9Lr5',
}
