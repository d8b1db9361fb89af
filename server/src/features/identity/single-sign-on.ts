/** Single sign-on: sends a person to an OpenID Connect server, and signs the person in by the server's answer. */
import { gated, type Limits, smallLimits } from '@atrium/connectors/gate'
import { withoutTrailing } from '@atrium/connectors/trim'
import * as openid from 'openid-client'
import { minuteMs } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { SafeRequest } from '../../platform/fetch/requests.ts'
import { createSafeFetch } from '../../platform/fetch/safe-fetch.ts'
import { parseAddress } from '../../platform/mail/address.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountLog, Visitor } from './account-log.ts'
import type { Cookies } from './cookies.ts'
import type { IdentityService } from './service.ts'
import type { Sessions } from './sessions-service.ts'
import { insertForeignAccount, lockForeignAccount, markVerified, type UserRow } from './store.ts'
import type { Verifications } from './verifications.ts'

/** An OpenID Connect server that the operator trusts to say who a person is. */
export type SingleSignOn = { issuer: string; clientId: string; clientSecret: string; name: string }

export const singleSignOnId = 'oidc'

export type SingleSignOnService = ReturnType<typeof createSingleSignOnService>

type Dependencies = Pick<Platform, 'database' | 'clock' | 'newId' | 'log' | 'publicUrl'> & {
  identity: IdentityService
  cookies: Cookies
  sessions: Sessions
  verifications: Verifications
  accountLog: AccountLog
  signUpOpen: boolean
  singleSignOn: SingleSignOn | null
}

/** The server's statements about a person. */
type Claims = { issuer: string; subject: string; email: string; emailVerified: boolean; name: string }

/** The reason why the server's answer signs no person in: a word for which the sign-in page has a text. */
class Refusal extends Error {}

const visitLifetimeMs = 10 * minuteMs
/** A server that does not answer must not hold a request for ever. */
const timeoutSeconds = 20
const maxReplyBytes = 1024 * 1024
const maxNameLength = 200

export function createSingleSignOnService(dependencies: Dependencies) {
  const { database, log, publicUrl, cookies, sessions, verifications, accountLog } = dependencies
  const configure = createConfiguration(dependencies)
  const redirectUri = (): string => `${publicUrl()}/auth/callback/${singleSignOnId}`

  const signIn = async (config: openid.Configuration, visitor: Visitor, answer: URLSearchParams) => {
    const state = answer.get('state')
    if (state === null) throw new Refusal('state_not_found')
    // An answer that belongs to another browser begins no session here, and stays valid for that browser.
    if (cookies.open('state', visitor.cookie) !== state) throw new Refusal('state_mismatch')
    const visit = await database.write(tx => verifications.take(tx, 'single-sign-on', state))
    if (visit === null) throw new Refusal('state_mismatch')
    const checks = {
      expectedState: state,
      expectedNonce: visit.nonce,
      pkceCodeVerifier: visit.verifier,
      idTokenExpected: true,
    }
    const claims = await openid
      .authorizationCodeGrant(config, new URL(`${redirectUri()}?${answer}`), checks)
      .then(tokens => claimsOf(config, tokens))
      .catch(error => {
        throw error instanceof Refusal ? error : new Refusal(refusalOf(error), { cause: error })
      })
    const cookie = await database.write(async tx => {
      const { id } = await findPerson(dependencies, tx, claims)
      const details = { method: 'single_sign_on' }
      await accountLog.record(tx, visitor, id, { action: 'account.sign_in', details })
      return sessions.begin(tx, id, visitor)
    })
    return { location: visit.callbackURL, cookie }
  }

  return {
    /** Returns the server's address, and the cookie that binds the server's answer to this browser. */
    async begin(callbackURL: string): Promise<{ url: string; cookies: string[] }> {
      const config = await configure()
      const nonce = openid.randomNonce()
      const verifier = openid.randomPKCECodeVerifier()
      const visit = { nonce, verifier, callbackURL, lifetimeMs: visitLifetimeMs }
      const state = await database.write(tx => verifications.make(tx, 'single-sign-on', visit))
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, cookies: [cookies.sign('state', state, visitLifetimeMs)] }
    },

    /** Returns the browser's next address, after sign-in or with an error. `answer` is the query from the server. */
    async end(visitor: Visitor, answer: URLSearchParams): Promise<{ location: string; cookies: string[] }> {
      const config = await configure()
      try {
        const { location, cookie } = await signIn(config, visitor, answer)
        return { location, cookies: [cookies.clear('state'), cookie] }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        // Only the message is logged: a cause may hold the whole answer.
        log.warn('A single sign-on was refused', { reason: String(error.cause ?? error) })
        // An answer that belongs to another browser must not end this browser's visit.
        const isOfThisVisit = cookies.open('state', visitor.cookie) === answer.get('state')
        return {
          location: `/sign-in?error=${error.message}`,
          cookies: isOfThisVisit ? [cookies.clear('state')] : [],
        }
      }
    },
  }
}

/** The claims of the id token, whose signature was checked. If it has no address, the server's user info is read. */
async function claimsOf(
  config: openid.Configuration,
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
): Promise<Claims> {
  const idToken = tokens.claims()
  if (idToken === undefined) throw new Refusal('unable_to_get_user_info')
  const { sub: subject, iss: issuer } = idToken
  const hasMore = idToken.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
  const person = hasMore ? await openid.fetchUserInfo(config, tokens.access_token, subject) : idToken
  const email = parseAddress(String(person.email))
  if (email === null) throw new Refusal('email_not_found')
  // Some servers send the flag as text.
  const emailVerified = String(person.email_verified) === 'true'
  const name = String(person.name ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
  return { issuer, subject, email, emailVerified, name: name === '' ? email : name }
}

/**
 * Returns the person of the account. An unknown account joins a person by an address that both sides have verified.
 */
async function findPerson(
  { identity, newId, clock, signUpOpen }: Dependencies,
  tx: Tx,
  { issuer, subject, email, emailVerified, name }: Claims,
): Promise<UserRow> {
  const now = clock()
  const known = await lockForeignAccount(tx, issuer, subject)
  if (known !== undefined) {
    const isNews = emailVerified && known.email === email && known.email_verified === 0
    if (isNews) await markVerified(tx, known.id, now)
    return known
  }
  const found = await identity.findByEmail(tx, email)
  if (found === undefined && !signUpOpen) throw new Refusal('signup_disabled')
  if (found !== undefined && !(emailVerified && found.email_verified === 1)) {
    throw new Refusal('account_not_linked')
  }
  const person = found ?? (await identity.create(tx, { email, name, emailVerified }))
  await insertForeignAccount(tx, {
    id: newId('account'),
    user_id: person.id,
    issuer,
    account_id: subject,
    provider_id: singleSignOnId,
    created_at: now,
    updated_at: now,
  })
  return person
}

/** openid-client parses replies, and the parts of a token in them. Keys of a server are the longest texts. */
const replyLimits: Limits = { ...smallLimits, maxBytes: maxReplyBytes, maxTextBytes: 65_536 }

/** Reads the server's configuration once; after a failure the next request tries again. */
function createConfiguration({ singleSignOn, log }: Dependencies): () => Promise<openid.Configuration> {
  let configuration: Promise<openid.Configuration> | null = null
  return async () => {
    if (singleSignOn === null) throw new ServiceError('not_found', 'No single sign-on is configured')
    configuration ??= discover(singleSignOn)
    try {
      return await configuration
    } catch (error) {
      configuration = null
      log.warn('The single sign-on server does not answer', { issuer: singleSignOn.issuer, error })
      throw new ServiceError('unavailable', `${singleSignOn.name} does not answer at the moment`, {
        headers: { 'retry-after': '10' },
      })
    }
  }
}

function discover({ issuer, clientId, clientSecret }: SingleSignOn): Promise<openid.Configuration> {
  // The operator's own server may be in any network, but its replies are limited like those of other servers.
  const safeFetch = createSafeFetch({
    allowedPrivateNetworks: ['0.0.0.0/0', '::/0'],
    timeoutMs: timeoutSeconds * 1_000,
    maxResponseBytes: maxReplyBytes,
  })
  // The code is exchanged over TLS, but the signature of the id token is checked anyway.
  const execute = [openid.enableNonRepudiationChecks]
  if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests)
  return openid.discovery(
    new URL(`${withoutTrailing(issuer, '/')}/.well-known/openid-configuration`),
    clientId,
    undefined,
    openid.ClientSecretPost(clientSecret),
    {
      timeout: timeoutSeconds,
      execute,
      // openid-client sends forms as text, which a SafeRequest accepts.
      [openid.customFetch]: async (url, request) => {
        const reply = await safeFetch(url, { ...(request as SafeRequest), owner: singleSignOnId })
        return gated(reply, replyLimits)
      },
    },
  )
}

/** The server's own error code if it refused; its longer texts are not passed on. */
function refusalOf(error: unknown): string {
  if (!(error instanceof openid.AuthorizationResponseError)) return 'invalid_code'
  return /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'refused'
}
