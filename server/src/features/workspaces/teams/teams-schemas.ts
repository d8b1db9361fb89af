/** The wire format of teams. */

import { accesses } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

const nameField = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name, unique in the workspace.',
})
const descriptionField = nullable(Type.String({ maxLength: 1000 }), { description: 'What the team is for.' })

export const Team = Type.Closed('Team', {
  id: idOf('team', { description: 'Id of the team.' }),
  name: Type.String({ description: 'Name, unique in the workspace.' }),
  description: nullable(Type.String(), { description: 'What the team is for.' }),
  memberCount: Type.Integer({ minimum: 0, description: 'Number of its members.' }),
  collectionIds: Type.Array(idOf('collection'), {
    description:
      "Collections limited to teams that this team can access, in the key's environment, as far as the caller can access them.",
  }),
  agentIds: Type.Array(idOf('agent'), {
    description: 'Agents limited to teams that this team can access, as for `collectionIds`.',
  }),
  createdAt: timestamp({ description: 'When the team was made.' }),
  updatedAt: timestamp({
    description: 'When the team or its members last changed.',
  }),
})
export type Team = Static<typeof Team>

export const NewTeam = Type.Closed('TeamInput', {
  name: nameField,
  description: Type.Optional(descriptionField),
})
export type NewTeam = Static<typeof NewTeam>

export const TeamChange = Type.Closed(
  'TeamChange',
  { name: Type.Optional(nameField), description: Type.Optional(descriptionField) },
  { minProperties: 1 },
)
export type TeamChange = Static<typeof TeamChange>

export const teamExample: Team = {
  id: exampleId('team'),
  name: 'Support',
  description: 'Answers customers',
  memberCount: 4,
  collectionIds: [exampleId('collection')],
  agentIds: [],
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

const access = stringEnum(accesses, {
  description:
    'Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.',
})

const teamIds = Type.Array(idOf('team'), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Teams with access if `access` is `teams`; empty for owners and admins only.',
})

/** The fields of a reply that say who reaches a collection or an agent. */
export const accessFields = { access, teamIds }

/** The same fields in a request; changing them needs the permission `teams:write`. */
export const changeableAccessFields = { access: Type.Optional(access), teamIds: Type.Optional(teamIds) }

export type AccessChange = {
  access?: (typeof accesses)[number] | undefined
  teamIds?: string[] | undefined
}
