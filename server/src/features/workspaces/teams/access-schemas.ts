/** Who reaches a collection or an agent, as it goes over the wire: the same on both. */

import { accesses } from '../../../platform/caller.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { idOf, stringEnum } from '../../../platform/schemas.ts'

const access = stringEnum(accesses, {
  description:
    'Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.',
})

const teamIds = Type.Array(idOf('team'), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Teams with access if `access` is `teams`; empty for owners and admins only.',
})

/** As it is shown. */
export const accessFields = { access, teamIds }

/** As it is given; to change it takes the permission `teams:write`. */
export const changeableAccessFields = { access: Type.Optional(access), teamIds: Type.Optional(teamIds) }

export type AccessChange = {
  access?: (typeof accesses)[number] | undefined
  teamIds?: string[] | undefined
}
