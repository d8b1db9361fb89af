/** A whole server for one test, in this process: real database, real files, real HTTP through `inject` or a socket. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { InjectOptions } from 'fastify'
import { type App, createApp } from '../app.ts'
import {
  type Caller,
  type Environment,
  type KeyCaller,
  noBounds,
  type Permission,
  type Plan,
  permissions,
  type Role,
  rolePermissions,
} from '../platform/caller.ts'
import { systemClock } from '../platform/clock.ts'
import { createPasswords } from '../platform/crypto/passwords.ts'
import { createStrangersSchemas } from '../platform/json-schema/strangers-schemas.ts'
import { createLog } from '../platform/log.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { type Dependencies, openDependencies } from '../start/dependencies.ts'
import { type CheckReply, createReplyCheck } from './check-reply.ts'
import { createEmptyDatabase, type EmptyDatabase } from './database.ts'

export type TestKey = { id: string; key: string; caller: KeyCaller }

export type TestReply = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** The parsed JSON body; null if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  body: any
}

export type TestApp = {
  app: App
  dependencies: Dependencies
  settings: Settings
  /** The first workspace: plan enterprise, its owner, and keys with every permission. */
  workspaceId: string
  ownerId: string
  liveKey: TestKey
  testKey: TestKey
  /** Every line that was logged. */
  logLines: string[]
  request(method: string, path: string, options?: RequestOptions): Promise<TestReply>
  /** Makes a member of that role, and a key of theirs. */
  createKey(options?: KeyOptions): Promise<TestKey>
  /** Makes another workspace with an owner; keys for it come from `createKey({ workspaceId, userId })`. */
  createWorkspace(plan?: Plan): Promise<{ workspaceId: string; ownerId: string }>
  /** Listens on a free port of loopback and answers the address, for clients that need a socket. */
  listen(): Promise<string>
  close(): Promise<void>
}

export type RequestOptions = {
  /** The live key unless given; null sends none. */
  key?: TestKey | string | null | undefined
  body?: unknown
  headers?: Record<string, string> | undefined
  query?: Record<string, string | number | string[]>
  /** Sends multipart/form-data instead of JSON. */
  form?: FormData
}

export type KeyOptions = {
  workspaceId?: string
  /** An existing member; a new one is made where it is not given. */
  userId?: string
  role?: Role
  environment?: Environment
  permissions?: readonly Permission[]
  agentIds?: string[]
  collectionIds?: string[]
  allowedAddresses?: string[]
  expiresAt?: string
}

/** A test of what an access that is lost puts an end to need not wait for seconds. */
const callerCheckMs = 100

const testSecret = 'a secret that only tests have, of enough characters'

/** One for all apps of a process: its thread takes 100 ms to begin. */
const schemas = createStrangersSchemas()

/** The usual cost is a fifth of a second of a processor for each sign-in. */
const cheapPasswords = createPasswords({ N: 2, r: 1, p: 1 })

export async function startTestApp(
  options: {
    settings?: Record<string, string>
    clock?: () => number
    /** Changes the dependencies before the app is made of them, such as a `safeFetch` that may reach loopback. */
    adapt?: (dependencies: Dependencies) => Dependencies
    /** Searches in threads, as servers on SQLite do; elsewhere here, as on PostgreSQL: a thread takes 170 ms to begin. */
    searchThreads?: boolean
    /** What another server has left; an empty folder and an empty database are made unless given. */
    data?: { folder: string; database: EmptyDatabase }
  } = {},
): Promise<TestApp> {
  const folder = options.data?.folder ?? (await mkdtemp(join(tmpdir(), 'atrium-app-')))
  const database = options.data?.database ?? (await createEmptyDatabase())
  const settings = readSettings({
    ATRIUM_DATA_DIR: folder,
    ATRIUM_SECRET: testSecret,
    ATRIUM_PORT: '0',
    ...options.settings,
  })
  const logLines: string[] = []
  let address = 'http://127.0.0.1:8787'
  const opened = await openDependencies(settings, {
    database: database.settings,
    log: createLog({ level: 'debug', write: line => logLines.push(line) }),
    publicUrl: () => settings.publicUrl ?? address,
    clock: options.clock ?? systemClock,
  })
  const usual = {
    ...opened,
    database: options.searchThreads === true ? opened.database : { ...opened.database, file: null },
    passwords: cheapPasswords,
    schemas,
    callerCheckMs,
  }
  const dependencies = options.adapt?.(usual) ?? usual
  const app = createApp(dependencies)
  await app.server.ready()
  app.startWork()

  const checkReply = createReplyCheck(app.routes, dependencies.database)
  const createWorkspace = (plan: Plan = 'enterprise') => makeWorkspace(app, dependencies, plan)
  const createKey = (keyOptions: KeyOptions = {}) =>
    makeKey(app, dependencies, { workspaceId, ...keyOptions })
  const { workspaceId, ownerId } = await createWorkspace()
  const owner = { userId: ownerId, role: 'owner' } as const
  const liveKey = await createKey(owner)
  const testKey = await createKey({ ...owner, environment: 'test' })

  return {
    app,
    dependencies,
    settings,
    workspaceId,
    ownerId,
    liveKey,
    testKey,
    logLines,
    createKey,
    createWorkspace,
    request: (method, path, requestOptions = {}) =>
      send(app, checkReply, liveKey, method, path, requestOptions),
    async listen() {
      address = await app.server.listen({ host: '127.0.0.1', port: 0 })
      return address
    },
    async close() {
      await app.close()
      await dependencies.close()
      await database.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same app with a workspace, an owner and keys of its own: for one of the tests that share an app. */
export async function inNewWorkspace(app: TestApp): Promise<TestApp> {
  const { workspaceId, ownerId } = await app.createWorkspace()
  const createKey: TestApp['createKey'] = options => app.createKey({ workspaceId, ...options })
  const owner = { userId: ownerId, role: 'owner' } as const
  const liveKey = await createKey(owner)
  const testKey = await createKey({ ...owner, environment: 'test' })
  const request: TestApp['request'] = (method, path, { key = liveKey, ...options } = {}) =>
    app.request(method, path, { key, ...options })
  return { ...app, workspaceId, ownerId, liveKey, testKey, createKey, request }
}

async function send(
  app: App,
  checkReply: CheckReply,
  liveKey: TestKey,
  method: string,
  path: string,
  { key = liveKey, body, headers = {}, query, form }: RequestOptions,
): Promise<TestReply> {
  const token = typeof key === 'string' ? key : key?.key
  const formRequest = form === undefined ? null : new Request('http://form', { method: 'POST', body: form })
  const isWhole = path.startsWith('/api/') || path.startsWith('/v1/') || !path.startsWith('/')
  const url = isWhole ? path : `/api/v1${path}`
  const formBytes = formRequest === null ? undefined : Buffer.from(await formRequest.arrayBuffer())
  const reply = await app.server.inject(
    withoutUndefined<InjectOptions>({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: withoutUndefined<Record<string, string>>({
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        'content-type': formRequest === null ? undefined : (formRequest.headers.get('content-type') ?? ''),
        ...headers,
      }),
      query: query === undefined ? undefined : (query as Record<string, string | string[]>),
      payload: body === undefined ? formBytes : (body as object),
    }),
  )
  const type = String(reply.headers['content-type'] ?? '')
  const parsed =
    type.startsWith('application/json') && reply.payload !== '' ? JSON.parse(reply.payload) : null
  const received = { status: reply.statusCode, headers: reply.headers, body: parsed }
  await checkReply(method, url, received)
  return received
}

async function makeWorkspace(
  app: App,
  { database, clock, newId }: Dependencies,
  plan: Plan,
): Promise<{ workspaceId: string; ownerId: string }> {
  const { workspaces, identity } = app.services
  return database.write(async tx => {
    const slug = newId('workspace').replace('_', '-')
    const workspace = await workspaces.create(tx, { name: 'Test workspace', slug, plan })
    const owner = await identity.create(tx, {
      email: `${slug}@example.com`,
      name: 'Owner',
      emailVerified: true,
    })
    await tx
      .insertInto('members')
      .values({
        id: newId('member'),
        workspace_id: workspace.id,
        user_id: owner.id,
        role: 'owner',
        kind: 'person',
        joined_at: clock(),
        revision: 1,
      })
      .execute()
    return { workspaceId: workspace.id, ownerId: owner.id }
  })
}

async function makeKey(
  app: App,
  { database, clock, newId }: Dependencies,
  options: KeyOptions & { workspaceId: string },
): Promise<TestKey> {
  const { role = 'owner', environment = 'live', workspaceId } = options
  const userId = options.userId ?? (await makeMember())
  const workspace = await app.services.workspaces.find(workspaceId)
  const caller: Caller = {
    kind: 'operator',
    userId,
    role,
    permissions: new Set(permissions),
    plan: workspace.plan,
    requestsPerMinute: workspace.rate_limit,
    requestId: newId('request'),
    address: null,
    scope: { workspaceId, environment },
  }
  const made = await app.services.apiKeys.create(
    caller,
    withoutUndefined({
      name: 'Test key',
      environment,
      permissions: [...(options.permissions ?? rolePermissions[role])],
      agentIds: options.agentIds,
      collectionIds: options.collectionIds,
      allowedAddresses: options.allowedAddresses,
      expiresAt: options.expiresAt,
    }),
  )
  return {
    id: made.row.id,
    key: made.key,
    caller: { ...caller, userId, kind: 'key', keyId: made.row.id, keyBounds: noBounds, idempotencyId: null },
  }

  async function makeMember(): Promise<string> {
    return database.write(async tx => {
      const email = `${newId('user')}@example.com`
      const user = await app.services.identity.create(tx, { email, name: role, emailVerified: true })
      await tx
        .insertInto('members')
        .values({
          id: newId('member'),
          workspace_id: workspaceId,
          user_id: user.id,
          role,
          kind: 'person',
          joined_at: clock(),
          revision: 1,
        })
        .execute()
      return user.id
    })
  }
}
