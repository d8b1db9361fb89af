/**
 * The apps that may ask: one that registered itself, one with a document at its own address, or our own command line.
 */

import { isFields } from '@atrium/connectors/fields'
import { readJson } from '@atrium/connectors/gate'
import { createBoundedMap } from '../../platform/caches/caches.ts'
import { addressKey } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import type { NewId } from '../../platform/ids.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { Attempts } from './attempts.ts'
import { OAuthError } from './oauth-error.ts'
import { maxRedirectUris, redirectFault } from './redirects.ts'
import { deleteExpiredClients, findClient, insertClient, keepClient, makeRoomForClients } from './store.ts'

export type Client = {
  id: string
  /** The app's own statement; even a document proves only the host. */
  name: string
  /** The host whose document describes the app; null if nothing proves who it is. */
  provenHost: string | null
  redirectUris: readonly string[]
}

export type Clients = ReturnType<typeof createClients>

/** The client_id of our own command line, which needs no registration and authorizes by a device code. */
export const commandLine: Client = {
  id: 'atrium-cli',
  name: 'Atrium command line',
  provenHost: null,
  redirectUris: [],
}

export const maxClientIdLength = 500
const maxNameLength = 100
const maxDocumentBytes = 16 * 1024
const documentTimeoutMs = 5_000
const documentKeptMs = 10 * minuteMs
/** A document that could not be read is asked for again soon, but not at once. */
const faultKeptMs = minuteMs
const maxKeptDocuments = 1_000
/** How long a new registration waits for its first connection. */
const unusedLifeMs = dayMs
/** How long an app's registration lasts after a person has connected the app. */
const usedLifeMs = 400 * dayMs
const maxUnused = 10_000
const clientsAtOnce = 500
/** For one person. */
const fetches = { tries: 100, windowMs: 10 * minuteMs }
/** From one address. */
const registrations = { tries: 100, windowMs: hourMs }

type Document = { client: Client } | { fault: string }

export function createClients(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  safeFetch: SafeFetch
  attempts: Attempts
}) {
  const { database, clock, newId, safeFetch, attempts } = dependencies
  const documents = createBoundedMap<Document & { until: number }>(maxKeptDocuments)

  const readAgain = async (id: string, userId: string): Promise<Document> => {
    await attempts.spend(['document', userId], fetches)
    const document = await readDocument(safeFetch, id, userId)
    const until = clock() + ('client' in document ? documentKeptMs : faultKeptMs)
    documents.set(id, { ...document, until })
    return document
  }

  const byDocument = async (id: string, userId: string): Promise<Client> => {
    const kept = documents.get(id)
    const document = kept !== undefined && kept.until > clock() ? kept : await readAgain(id, userId)
    if ('fault' in document) throw new OAuthError('invalid_client', document.fault)
    return document.client
  }

  return {
    /** Throws `invalid_client`. A document is fetched on behalf of the person `userId`. */
    async find(id: string, userId: string): Promise<Client> {
      if (id.startsWith('https://')) return byDocument(id, userId)
      const row = await findClient(database.read, id, clock())
      if (row !== undefined) {
        return { id, name: row.name, provenHost: null, redirectUris: decodeJson(row.redirect_uris) }
      }
      throw new OAuthError('invalid_client', 'The app is not registered here, or no longer: connect it again')
    },

    /**
     * Dynamic registration (RFC 7591): every app becomes a public client, even if it asks for a secret. Throws
     * `rate_limited`.
     */
    async register(body: unknown, address: string): Promise<Record<string, unknown>> {
      await attempts.spend(['register', addressKey(address)], registrations)
      const { redirectUris, name } = readRegistration(body)
      const id = newId('app')
      const now = clock()
      await database.write(async tx => {
        await makeRoomForClients(tx, maxUnused)
        await insertClient(tx, {
          id,
          name,
          redirect_uris: encodeJson(redirectUris),
          expires_at: now + unusedLifeMs,
          is_used: 0,
          created_at: now,
        })
      })
      return {
        client_id: id,
        client_id_issued_at: Math.floor(now / 1_000),
        client_name: name,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      }
    },

    /** Records that a person has connected the app. */
    noteUse: (tx: Tx, { id }: Client): Promise<void> => keepClient(tx, id, clock() + usedLifeMs),

    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteExpiredClients(tx, clock(), limit)), clientsAtOnce),
  }
}

function readRegistration(body: unknown): { redirectUris: string[]; name: string } {
  const { redirect_uris: uris, client_name: name } = isFields(body) ? body : {}
  if (!isTexts(uris) || uris.length === 0 || uris.length > maxRedirectUris) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${maxRedirectUris} URIs`,
    )
  }
  checkRedirects(uris)
  if (name !== undefined && typeof name !== 'string') {
    throw new OAuthError('invalid_client_metadata', 'client_name must be a text')
  }
  return { redirectUris: uris, name: shownName(name ?? '') }
}

/** Reads the document at a client_id that is an address (draft-ietf-oauth-client-id-metadata-document). */
async function readDocument(safeFetch: SafeFetch, id: string, userId: string): Promise<Document> {
  const url = URL.parse(id)
  const isPlain =
    url !== null && url.href === id && url.pathname !== '/' && url.hash === '' && url.search === ''
  if (!isPlain || url.username !== '' || url.password !== '') {
    return { fault: 'A client_id that is an address must be a plain https address with a path' }
  }
  try {
    const response = await safeFetch(url, {
      owner: userId,
      headers: { accept: 'application/json' },
      // Only the document at the address itself counts, so redirects are refused.
      redirect: 'error',
      timeoutMs: documentTimeoutMs,
      maxResponseBytes: maxDocumentBytes,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`The document answers ${response.status}`)
    }
    return { client: readClient(readJson(await response.text()), url) }
  } catch (error) {
    // The address's own answer is not repeated: the address could be inside this server's network.
    const why =
      error instanceof OAuthError ? error.message : 'it cannot be reached, or is no JSON of the right size'
    return { fault: `The document of the app at ${url.host} cannot be used: ${why}` }
  }
}

function readClient(document: unknown, url: URL): Client {
  const fields = isFields(document) ? document : {}
  const { client_id: id, redirect_uris: uris, client_name: name, token_endpoint_auth_method: method } = fields
  if (id !== url.href) throw new OAuthError('invalid_client', 'its client_id is not its own address')
  if (method !== undefined && method !== 'none') {
    throw new OAuthError('invalid_client', 'its token_endpoint_auth_method is not "none"')
  }
  if (!isTexts(uris) || uris.length === 0 || uris.length > maxRedirectUris) {
    throw new OAuthError('invalid_client', `it does not have 1 to ${maxRedirectUris} redirect_uris`)
  }
  checkRedirects(uris)
  return {
    id: url.href,
    name: shownName(typeof name === 'string' ? name : url.host),
    provenHost: url.host,
    redirectUris: uris,
  }
}

function checkRedirects(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const fault = redirectFault(uri)
    if (fault !== null) throw new OAuthError('invalid_redirect_uri', `redirect_uris.${index} ${fault}`)
  }
}

/** Removes characters that hide or reverse other text: the name appears within the consent's text. */
function shownName(name: string): string {
  const plain = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  return [...plain].slice(0, maxNameLength).join('') || 'App without a name'
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')
