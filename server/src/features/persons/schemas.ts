/** What the console sends and is answered beside the API. */

import { environments, type Permission, type Plan, type Role } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { idOf, stringEnum } from '../../platform/schemas.ts'
import { workspaceName } from '../workspaces/schemas.ts'

export const TokenRequest = Type.Closed({
  workspaceId: idOf('workspace'),
  environment: stringEnum(environments),
})
export type TokenRequest = Static<typeof TokenRequest>

export const NewWorkspace = Type.Closed({ name: workspaceName })
export type NewWorkspace = Static<typeof NewWorkspace>

/** A token, and what it is good for. */
export type IssuedToken = {
  token: string
  expiresAt: string
  workspaceId: string
  environment: TokenRequest['environment']
  role: Role
  permissions: Permission[]
}

export type Person = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  twoFactorEnabled: boolean
}

/** A workspace as the person behind the session sees it; `deletesAt` is set where it is deleted and can still be restored. */
export type OwnWorkspace = {
  id: string
  name: string
  slug: string
  plan: Plan
  role: Role
  deletesAt: string | null
}
