/** The wire format of invitations. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { roleField } from './members-schemas.ts'

const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const

/** How the link reaches the invited person. */
export const deliveries = ['queued', 'sent', 'failed', 'link', 'simulated'] as const

const maxMessageLength = 1000
export const maxNameLength = 200

const invitationFields = {
  id: idOf('invitation', { description: 'Id of the invitation.' }),
  email: Type.String({ description: 'Invited address, in lower case.' }),
  role: roleField('Role after acceptance.'),
  teamIds: Type.Array(idOf('team'), { description: 'Teams after acceptance.' }),
  message: nullable(Type.String(), {
    description: 'Personal message, shown with the invitation.',
  }),
  status: stringEnum(invitationStatuses, {
    description: 'Only a pending invitation can be accepted; it expires after seven days.',
  }),
  delivery: stringEnum(deliveries, {
    description:
      '`queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so pass on `acceptUrl` yourself. ' +
      '`simulated`: made by a test key; no mail is sent, and accepting it makes no member.',
  }),
  deliveryError: nullable(Type.String(), { description: 'Why the mail could not be sent.' }),
  invitedBy: nullable(idOf('user'), { description: 'Id of the inviting user; null for the operator.' }),
  expiresAt: timestamp({ description: 'When a pending invitation expires.' }),
  createdAt: timestamp({ description: 'When the invitation was made.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
}

export const Invitation = Type.Closed('Invitation', invitationFields)
export type Invitation = Static<typeof Invitation>

export const IssuedInvitation = Type.Closed('IssuedInvitation', {
  ...invitationFields,
  acceptUrl: Type.Optional(
    nullable(Type.String({ format: 'uri' }), {
      description:
        'Link for the invited person. Only this reply has it; null if the link is mailed. A replayed reply leaves it out.',
    }),
  ),
})
export type IssuedInvitation = Static<typeof IssuedInvitation>

export const AcceptedInvitation = Type.Closed('AcceptedInvitation', {
  ...invitationFields,
  memberId: nullable(idOf('member'), {
    description: 'The new member; null if the invitation was simulated.',
  }),
})
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const NewInvitation = Type.Closed('InvitationInput', {
  email: Type.String({ format: 'email', maxLength: 254, description: 'Address to invite.' }),
  role: Type.Optional(roleField("Role, at most the caller's own; `member` by default.")),
  teamIds: Type.Optional(
    Type.Array(idOf('team'), { maxItems: 50, uniqueItems: true, description: 'Teams to join.' }),
  ),
  message: Type.Optional(
    Type.String({ maxLength: maxMessageLength, description: 'Message to the invited person.' }),
  ),
})
export type NewInvitation = Static<typeof NewInvitation>

export const InvitationAcceptance = Type.Closed('InvitationAcceptance', {
  token: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Last part of the invitation link.',
  }),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxNameLength,
      pattern: '\\S',
      description: 'Name of the person; required if the address is new to this server.',
    }),
  ),
})
export type InvitationAcceptance = Static<typeof InvitationAcceptance>

export const InvitationFilter = Type.Object({
  status: Type.Optional(stringEnum(invitationStatuses, { description: 'Only invitations in this status.' })),
})
export type InvitationFilter = Static<typeof InvitationFilter>

export const invitationExample: Invitation = {
  id: exampleId('invitation'),
  email: 'grace@example.com',
  role: 'member',
  teamIds: [exampleId('team')],
  message: 'Welcome aboard!',
  status: 'pending',
  delivery: 'link',
  deliveryError: null,
  invitedBy: exampleId('user'),
  expiresAt: '2026-11-28T09:30:00.000Z',
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
