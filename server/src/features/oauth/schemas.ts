/** The wire format of the console's pages about apps, outside the API. */
import { environments, type Permission, permissions } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { idOf, nullable, stringEnum } from '../../platform/schemas.ts'

/** The grant that a person gives to an app. */
const Grant = Type.Closed({
  workspaceId: idOf('workspace'),
  environment: stringEnum(environments),
  permissions: Type.Array(stringEnum(permissions), { minItems: 1, maxItems: 20, uniqueItems: true }),
  agentIds: nullable(Type.Array(idOf('agent'), { minItems: 1, maxItems: 100, uniqueItems: true })),
  collectionIds: nullable(Type.Array(idOf('collection'), { minItems: 1, maxItems: 100, uniqueItems: true })),
})
export type Grant = Static<typeof Grant>

const query = Type.String({ maxLength: 8_000 })
const userCode = Type.String({ minLength: 1, maxLength: 50 })
const userId = idOf('user', { description: 'Whom the page showed as signed in.' })
/** Null means that the person refuses. */
const grant = Type.Union([Grant, Type.Null()])

export const AppQuestion = Type.Closed({ query })
export const AppDecision = Type.Closed({ query, userId, grant })
export type AppDecision = Static<typeof AppDecision>
export const DeviceQuestion = Type.Closed({ userCode })
export const DeviceDecision = Type.Closed({ userCode, userId, grant })
export type DeviceDecision = Static<typeof DeviceDecision>
export const GrantChoice = Type.Closed({ id: idOf('key') })

/** The app and its request, for the page on which a person decides. */
export type Question = {
  name: string
  /** The host whose document describes the app; null if nothing proves the name. */
  provenHost: string | null
  /** The host to which the browser is sent; null for a device. */
  redirectHost: string | null
  /** The whole address, to which the answer's parameters are added; null for a device. */
  redirectUri: string | null
  isOnThisComputer: boolean
  permissions: Permission[]
  /** Set for a device: the address and time of its request. */
  device: { address: string; askedAt: string } | null
  /** Set if the request is faulty: the fault, and the address that would tell the app. */
  refusal: { message: string; redirectTo: string } | null
}

export type ConnectedApp = {
  id: string
  name: string
  host: string
  workspaceName: string
  environment: (typeof environments)[number]
  permissions: Permission[]
  isNarrowed: boolean
  lastUsedAt: string | null
  createdAt: string
}
