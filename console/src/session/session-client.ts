/** Calls about a person, their account and their apps: `/auth/*` and `/console/*`, with the cookie. All else goes through the SDK. */
import { ApiError, ConnectionError } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { parsedJson } from '../api/parsed-json.ts'

export type Environment = 'live' | 'test'
export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export type Person = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  twoFactorEnabled: boolean
}

export type MyWorkspace = {
  id: string
  name: string
  slug: string
  plan: string
  role: Role
  /** When it is erased, where an owner has deleted it. */
  deletesAt: string | null
}

/** The server's first answer to a browser; `person` is null if the browser is signed out. */
type ConsoleSession = {
  setupRequired: boolean
  signUpOpen: boolean
  mailConfigured: boolean
  singleSignOn: { id: string; name: string }[]
  person: Person | null
  workspaces: MyWorkspace[]
}

/** A bearer for one workspace and environment, with what it may do there. */
export type Access = {
  token: string
  expiresAt: string
  workspaceId: string
  environment: Environment
  role: Role
  permissions: string[]
}

export const fetchSession = (signal?: AbortSignal): Promise<ConsoleSession> =>
  call('GET', '/console/session', undefined, signal)

export const buyToken = (workspaceId: string, environment: Environment): Promise<Access> =>
  call('POST', '/console/token', { workspaceId, environment })

/** Throws a 400 for `token` if the link opens nothing. */
export const checkSetupLink = (token: string, signal: AbortSignal) =>
  call<void>('POST', '/console/setup/check', { token }, signal)

export const setUp = (owner: { token: string; name: string; email: string; password: string }) =>
  call<unknown>('POST', '/console/setup', owner)

export const createWorkspace = (name: string): Promise<MyWorkspace> =>
  call('POST', '/console/workspaces', { name })

export const restoreWorkspace = (id: string) =>
  call<unknown>('POST', `/console/workspaces/${encodeURIComponent(id)}/restore`, {})

export const signIn = (credentials: { email: string; password: string; verificationToken?: string }) =>
  call<{ twoFactorRequired: boolean }>('POST', '/auth/sign-in/email', credentials)

export const verifyTotp = (code: string) => call<void>('POST', '/auth/two-factor/verify-totp', { code })

export const verifyRecoveryCode = (code: string) =>
  call<void>('POST', '/auth/two-factor/verify-backup-code', { code })

/** Returns the address of the provider to go to; `callbackURL` is a path of this server. */
export const signInElsewhere = async (provider: string, callbackURL: string): Promise<string> =>
  (await call<{ url: string }>('POST', '/auth/sign-in/social', { provider, callbackURL })).url

export const signUp = (person: { name: string; email: string; password: string }) =>
  call<{ verificationRequired: boolean }>('POST', '/auth/sign-up/email', person)

export const signOut = () => call<void>('POST', '/auth/sign-out', {})

export const requestPasswordReset = (email: string) =>
  call<void>('POST', '/auth/request-password-reset', { email })

export const resetPassword = (token: string, newPassword: string) =>
  call<void>('POST', '/auth/reset-password', { token, newPassword })

export const sendVerificationMail = (email: string) =>
  call<void>('POST', '/auth/send-verification-email', { email })

// Apps that people connect by OAuth.

/** Who asks for what. */
export type Question = {
  name: string
  /** The host whose document it is; null if nothing proves the name. */
  provenHost: string | null
  /** Where the browser is sent; null for a device. */
  redirectHost: string | null
  redirectUri: string | null
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

// The account of the person who is signed in.

export type Session = {
  id: string
  current: boolean
  ipAddress: string | null
  userAgent: string | null
  createdAt: string
  expiresAt: string
}

export const changeName = (name: string) => call<void>('POST', '/auth/update-user', { name })

export const changePassword = (currentPassword: string, newPassword: string) =>
  call<void>('POST', '/auth/change-password', { currentPassword, newPassword })

export const listSessions = (signal: AbortSignal) =>
  call<Session[]>('GET', '/auth/list-sessions', undefined, signal)

export const endOneSession = (id: string) => call<void>('POST', '/auth/revoke-session', { id })

export const endOtherSessions = () => call<void>('POST', '/auth/revoke-other-sessions', {})

/** It holds once a code has been given. */
export const beginSecondFactor = (password: string) =>
  call<{ totpURI: string; backupCodes: string[] }>('POST', '/auth/two-factor/enable', { password })

export const renewRecoveryCodes = (password: string) =>
  call<{ backupCodes: string[] }>('POST', '/auth/two-factor/generate-backup-codes', { password })

export const endSecondFactor = (password: string) =>
  call<void>('POST', '/auth/two-factor/disable', { password })

/** Errors are those of the SDK. */
async function call<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await send(method, path, body, signal)
  // Undefined for an empty reply, and for a proxy's page in between: the status says what there is to say.
  const answer = parsedJson(await response.text())
  if (!response.ok) throw errorOf(response, answer)
  // The server answers its own pages by the types that stand here; an empty reply is void.
  return (isRecord(answer) ? answer.data : undefined) as Answer
}

async function send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: withoutUndefined<Record<string, string>>({
        accept: 'application/json',
        'content-type': body === undefined ? undefined : 'application/json',
      }),
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ConnectionError(`Could not reach the server: ${method} ${path}`, { cause: error })
  }
}

function errorOf(response: Response, answer: unknown): ApiError {
  const given = isRecord(answer) ? answer : {}
  const retryAfter = Number(response.headers.get('retry-after'))
  return new ApiError(
    {
      statusCode: response.status,
      message: typeof given.message === 'string' ? given.message : `HTTP ${response.status}`,
      errors: Array.isArray(given.errors) ? given.errors : [],
      code: typeof given.code === 'string' ? given.code : 'unknown',
      details: isRecord(given.details) ? given.details : {},
      requestId: response.headers.get('x-request-id') ?? '',
      retryable: response.status === 429 || response.status >= 502,
    },
    retryAfter > 0 ? retryAfter * 1000 : null,
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
