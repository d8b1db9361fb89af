/** The calls about apps that people connect by OAuth, by the session's cookie. */
import { call, type Environment } from './session-client.ts'

/** Who asks for what. */
export type Question = {
  name: string
  /** The host whose document it is; null if nothing proves the name. */
  provenHost: string | null
  /** Where the browser is sent; null for a device. */
  redirectHost: string | null
  isOnThisComputer: boolean
  permissions: string[]
  device: { address: string; askedAt: string } | null
  /** Set if the request is at fault. */
  refusal: { message: string; redirectTo: string } | null
}

export type Grant = {
  workspaceId: string
  environment: Environment
  permissions: string[]
  agentIds: string[] | null
  collectionIds: string[] | null
}

export type ConnectedApp = {
  id: string
  name: string
  host: string
  workspaceName: string
  environment: Environment
  permissions: string[]
  isNarrowed: boolean
  lastUsedAt: string | null
  createdAt: string
}

/** `query` is the address's own, as the app has made it. */
export const askForApp = (query: string) => call<Question>('POST', '/console/apps/ask', { query })

/** `userId` is the person who has read the question; null for `grant` refuses. */
export const decideOnApp = (decision: { query: string; userId: string; grant: Grant | null }) =>
  call<{ redirectTo: string }>('POST', '/console/apps/decide', decision)

export const askForDevice = (userCode: string) => call<Question>('POST', '/console/devices/ask', { userCode })

export const decideOnDevice = (decision: { userCode: string; userId: string; grant: Grant | null }) =>
  call<void>('POST', '/console/devices/decide', decision)

export const listApps = (signal: AbortSignal) =>
  call<ConnectedApp[]>('GET', '/console/apps', undefined, signal)

export const disconnectApp = (id: string) => call<void>('POST', '/console/apps/disconnect', { id })

/** One that cannot be disconnected stops no other. */
export async function disconnectAllApps(): Promise<void> {
  const apps = await listApps(AbortSignal.timeout(60_000))
  await Promise.all(apps.map(({ id }) => disconnectApp(id)))
}
