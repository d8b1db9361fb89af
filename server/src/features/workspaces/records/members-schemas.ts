/** The wire format of members. */

import { roles } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

const memberKinds = ['person', 'service'] as const

export const roleField = (description: string) => stringEnum(roles, { description })

export const Member = Type.Closed('Member', {
  id: idOf('member', { description: 'Id of the membership.' }),
  userId: idOf('user', { description: 'Id of the person, the same in each workspace.' }),
  name: Type.String({ description: 'Name of the person.' }),
  email: Type.String({ description: 'E-mail address, in lower case.' }),
  role: roleField('Role of the member: owner, admin, member or viewer.'),
  kind: stringEnum(memberKinds, {
    description: 'A person or a service account.',
  }),
  teamIds: Type.Array(idOf('team'), { description: 'Teams that the member belongs to.' }),
  joinedAt: timestamp({ description: 'When the member joined the workspace.' }),
  lastActiveAt: nullable(timestamp(), {
    description: 'Last use of a key or of the console; null if never.',
  }),
})
export type Member = Static<typeof Member>

export const MemberFilter = Type.Object({
  role: Type.Optional(roleField('Only members with this role.')),
  kind: Type.Optional(stringEnum(memberKinds, { description: 'Only people, or only service accounts.' })),
  teamId: Type.Optional(idOf('team', { description: 'Only members of this team.' })),
})
export type MemberFilter = Static<typeof MemberFilter>

export const MemberChange = Type.Closed('MemberChange', {
  role: roleField("The new role; at most the caller's own."),
})
export type MemberChange = Static<typeof MemberChange>

export const NewServiceAccount = Type.Closed('ServiceAccountInput', {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    description: 'Name of the service account.',
  }),
  role: stringEnum(
    roles.filter(role => role !== 'owner'),
    { description: "Role that limits its keys: admin, member or viewer; at most the caller's own." },
  ),
})
export type NewServiceAccount = Static<typeof NewServiceAccount>

export const OwnershipTransfer = Type.Closed('OwnershipTransfer', {
  memberId: idOf('member', { description: 'Member who becomes an owner; must be a person.' }),
})
export type OwnershipTransfer = Static<typeof OwnershipTransfer>

export const memberExample: Member = {
  id: exampleId('member'),
  userId: exampleId('user'),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'admin',
  kind: 'person',
  teamIds: [exampleId('team')],
  joinedAt: '2026-11-21T09:30:00.000Z',
  lastActiveAt: '2026-11-21T10:12:45.120Z',
}
