/** Callers whom no operation lets in, and callers who may ask some operations. */

import { type Environment, type Permission, permissions, type Role } from '../../platform/caller.ts'
import { minuteMs } from '../../platform/clock.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { newApiKey, readPersonToken, signPersonToken } from '../../platform/crypto/tokens.ts'
import type { TokenFault } from '../../platform/errors.ts'
import { type SignedIn, signIn } from '../apps/signed-in.ts'
import type { TestApp } from '../test-app.ts'
import { memberIdOf, type World } from './world.ts'

export type Asker = {
  name: string
  /** What stands in `Authorization`; null for none. */
  token: string | null
  headers?: Record<string, string>
}

/** Refused by every operation alike. */
export type Refused = Asker & { status: 401 | 403; code: string; reason?: TokenFault }

export type Limited = Asker & { permissions: readonly Permission[]; environment: Environment }

const ofReaders: readonly Permission[] = [
  'agents:read',
  'knowledge:read',
  'integrations:read',
  'members:read',
]
/** What each role may, written down a second time: the server's own table is under test here. */
export const permissionsOf: Record<Role, readonly Permission[]> = {
  owner: permissions,
  admin: permissions,
  member: [...ofReaders, 'agents:run', 'knowledge:write'],
  viewer: ofReaders,
}
const everyRole = ['owner', 'admin', 'member', 'viewer'] as const

export async function createRefused({ app, pass, neighbour }: World): Promise<Refused[]> {
  const asOwner = (method: string, path: string) => app.request(method, path)
  const soon = new Date(app.dependencies.clock() + minuteMs).toISOString()
  const expiredKey = await app.createKey({ expiresAt: soon })
  const expiredToken = await (await newPerson(app, 'owner')).token()
  pass(11 * minuteMs)

  const revoked = await app.createKey()
  await asOwner('POST', `/api-keys/${revoked.id}/revoke`)
  const ended = await newPerson(app, 'owner')
  const endedToken = await ended.token()
  await app.app.services.sessions.end(ended.userId, ended.sessionId)
  const removed = await newPerson(app, 'admin')
  const removedToken = await removed.token()
  const removedKey = await app.createKey({ userId: removed.userId, role: 'admin' })
  await asOwner('DELETE', `/workspace/members/${await memberIdOf(app, app.workspaceId, removed.userId)}`)

  const owner = await signIn(app, app.ownerId)
  const valid = await owner.token()
  const claims = readPersonToken(app.dependencies.keyring, valid)
  if (claims === null) throw new Error('The server signs tokens that it cannot read')
  const otherServer = createKeyring('the secret of some other server, of enough characters')
  const stolen = { ...claims, userId: neighbour.ownerId }
  const unauthenticated = { status: 401, code: 'unauthenticated' } as const
  const byToken: [string, string | null, TokenFault][] = [
    ['without a key', null, 'missing'],
    ['with garbage', 'nonsense', 'malformed'],
    ['with the beginning of a key', 'sk_live_', 'malformed'],
    ['with a key that was mistyped', app.liveKey.key.replace(/.{6}$/, 'zzzzzz'), 'malformed'],
    ['with a well-formed key that does not exist', newApiKey('live'), 'unknown'],
    ['with an expired key', expiredKey.key, 'expired'],
    ['with a revoked key', revoked.key, 'revoked'],
    ["with a removed member's key", removedKey.key, 'owner_gone'],
    ["with a removed member's token", removedToken, 'owner_gone'],
    ['with an expired token', expiredToken, 'expired'],
    ['with the token of a session that has ended', endedToken, 'revoked'],
    ['with a token that was changed', `${valid}x`, 'malformed'],
    ['with a token of another server', signPersonToken(otherServer, claims), 'malformed'],
    ["with another person's session", signPersonToken(app.dependencies.keyring, stolen), 'revoked'],
    ['with an empty token', 'ct_', 'malformed'],
  ]
  const { cookie } = owner
  const byCookie: [string, Record<string, string>][] = [
    ['with a cookie alone', { cookie }],
    ['with a cookie, from another origin', { cookie, origin: 'https://evil.example' }],
  ]
  return [
    ...byToken.map(([name, token, reason]) => ({ name, token, reason, ...unauthenticated })),
    ...byCookie.map(([name, headers]) => ({
      name,
      token: null,
      headers,
      reason: 'missing' as const,
      ...unauthenticated,
    })),
    ...(await createShutOut(app)),
  ]
}

/** Known, and refused for what their key or their workspace is. */
async function createShutOut(app: TestApp): Promise<Refused[]> {
  const free = await app.createWorkspace('free')
  const freeKey = (await app.createKey({ workspaceId: free.workspaceId })).key
  const elsewhere = await app.createKey({ userId: app.ownerId, allowedAddresses: ['192.0.2.1'] })
  const deleted = await app.createWorkspace()
  const deletedKey = await app.createKey({ workspaceId: deleted.workspaceId })
  const token = await (await signIn(app, deleted.ownerId)).token({ workspaceId: deleted.workspaceId })
  const { slug } = (await app.request('GET', '/workspace', { key: token })).body.data
  await app.request('DELETE', '/workspace', { key: token, body: { confirm: slug } })
  return [
    { name: 'with a key of a free plan', token: freeKey, status: 403, code: 'plan_required' },
    { name: 'from another address', token: elsewhere.key, status: 403, code: 'address_not_allowed' },
    {
      name: 'with a key of a deleted workspace',
      token: deletedKey.key,
      status: 403,
      code: 'workspace_deleted',
    },
    { name: 'with a token for a deleted workspace', token, status: 403, code: 'workspace_deleted' },
  ]
}

export async function createLimited({ app }: World): Promise<Limited[]> {
  const limited: Limited[] = []
  const add = (name: string, token: string, held: readonly Permission[], environment: Environment = 'live') =>
    limited.push({ name, token, permissions: held, environment })
  for (const role of everyRole) {
    const person = await newPerson(app, role)
    add(`a person, ${role}`, await person.token(), permissionsOf[role])
    add(
      `a key of a person, ${role}`,
      (await app.createKey({ userId: person.userId, role })).key,
      permissionsOf[role],
    )
    const inTest = await person.token({ environment: 'test' })
    add(`a person in the sandbox, ${role}`, inTest, permissionsOf[role], 'test')
    if (role !== 'owner') {
      add(`a service account, ${role}`, await serviceKey(app, role), permissionsOf[role])
      add(`a key of someone who was made a ${role}`, await demotedKey(app, role), permissionsOf[role])
    }
  }
  for (const only of permissions) {
    add(`a key with ${only} alone`, (await app.createKey({ permissions: [only] })).key, [only])
    const inTest = await app.createKey({ permissions: [only], environment: 'test' })
    add(`a test key with ${only} alone`, inTest.key, [only], 'test')
  }
  return limited
}

/** Who may everything there: the owner, by the console. */
export async function ownerOf({ app }: World, environment: Environment): Promise<string> {
  return (await signIn(app, app.ownerId)).token({ environment })
}

export async function newPerson(app: TestApp, role: Role): Promise<SignedIn> {
  return signIn(app, String((await app.createKey({ role })).caller.userId))
}

export async function serviceKey(app: TestApp, role: Role): Promise<string> {
  const account = await app.request('POST', '/workspace/members', { body: { name: `Robot, ${role}`, role } })
  const reply = await app.request('POST', '/api-keys', {
    body: { name: 'Of a robot', memberId: account.body.data.id, permissions: permissionsOf[role] },
  })
  return reply.body.data.key
}

/** A key that was given everything, by someone who may less since. */
async function demotedKey(app: TestApp, role: Role): Promise<string> {
  const made = await app.createKey({ role: 'owner' })
  const memberId = await memberIdOf(app, app.workspaceId, String(made.caller.userId))
  const token = await (await signIn(app, app.ownerId)).token()
  const reply = await app.request('PATCH', `/workspace/members/${memberId}`, { key: token, body: { role } })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return made.key
}
