/** Endpoints for API keys. */
import {
  createdRecord,
  defineRoute,
  listed,
  ok,
  okRecord,
  preview,
  type Route,
  standardList,
} from '../../http/route.ts'
import {
  browserPageOf,
  browserTokenIdOf,
  environments,
  permissions,
  plans,
  type RequestCaller,
  roles,
} from '../../platform/caller.ts'
import { type Clock, toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import { ApiKey, ApiKeyChange, ApiKeyWithSecret, apiKeyExample, NewApiKey, Rotation } from './schemas.ts'
import type { ApiKeyService, MadeKey } from './service.ts'

type KeyRow = MadeKey['row']

const shownExample = { ...apiKeyExample, key: 'sk_live_…' }

export function apiKeyRoutes(apiKeys: ApiKeyService, clock: Clock): Route[] {
  const present = (row: KeyRow): ApiKey => presentKey(row, clock())
  return [
    defineRoute({
      method: 'GET',
      path: '/api-keys',
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description:
        'All keys of the workspace, including revoked ones, without their secrets. A test key sees test keys.',
      permission: 'keys:read',
      list: { ...standardList, dates: ['created', 'updated'] },
      data: Type.Array(ApiKey),
      example: [apiKeyExample],
      handle: async ({ caller, page }) => listed(await apiKeys.list(caller, page), page, present),
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys',
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description:
        'Creates a key that acts for the person behind the calling key, or for a service account (`memberId`), with at most the permissions and narrowing of the calling key. A key made by a key cannot outlive it or work from more addresses: `expiresAt` and `allowedAddresses` are inherited if you leave them out, and a wider value is a 400. The reply has the whole key, which is never shown again.',
      permission: 'keys:write',
      audit: 'api_key.create',
      body: NewApiKey,
      bodyExample: { name: 'Nightly import', permissions: ['knowledge:read', 'knowledge:write'] },
      data: ApiKeyWithSecret,
      example: shownExample,
      secrets: ['key'],
      success: [201],
      errors: ['sandbox_forbidden', 'member_required'],
      handle: async ({ caller, body }) => {
        const { row, key } = await apiKeys.create(caller, body)
        return createdRecord(row, shown => ({ ...present(shown), key }), '/api-keys')
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api-keys/:id',
      operationId: 'getApiKey',
      summary: 'Get an API key',
      description: 'Returns one key without its secret.',
      permission: 'keys:read',
      data: ApiKey,
      example: apiKeyExample,
      handle: async ({ caller, params }) => okRecord(await apiKeys.get(caller, params.id), present),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api-keys/:id',
      operationId: 'updateApiKey',
      summary: 'Change an API key',
      description:
        'Changes the name, narrowing or expiry of a key, within 10 seconds on every server. A key that may do more than the calling key cannot be changed with it (`permission_missing`). A key of an app can only be narrowed.',
      permission: 'keys:write',
      audit: 'api_key.update',
      body: ApiKeyChange,
      bodyExample: { name: 'Nightly import of the wiki' },
      data: ApiKey,
      example: apiKeyExample,
      errors: ['precondition_failed'],
      handle: async ({ caller, params, body, ifMatch }) =>
        okRecord(await apiKeys.update(caller, params.id, body, ifMatch), present),
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/:id/rotate',
      operationId: 'rotateApiKey',
      summary: 'Rotate an API key',
      description:
        'Creates a new secret for the same key and shows it once. The old secret works until the end of the overlap that you choose. A key that may do more than the calling key, lives longer or works from more addresses cannot be rotated with it (`permission_missing`). A key of an app has no secret to rotate.',
      permission: 'keys:write',
      audit: 'api_key.rotate',
      body: Rotation,
      bodyExample: { overlapSeconds: 3_600 },
      data: ApiKeyWithSecret,
      example: shownExample,
      secrets: ['key'],
      errors: ['key_revoked', 'key_of_app'],
      handle: async ({ caller, params, body }) => {
        const { row, key } = await apiKeys.rotate(caller, params.id, body.overlapSeconds ?? 0)
        return okRecord(row, shown => ({ ...present(shown), key }))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/:id/revoke',
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description:
        'Permanently ends a key, within 10 seconds on every server. A second call changes nothing.',
      permission: 'keys:write',
      audit: 'api_key.revoke',
      destructive: true,
      data: ApiKey,
      example: { ...apiKeyExample, status: 'revoked', revokedAt: '2026-11-21T09:30:00.000Z' },
      errors: ['precondition_failed'],
      handle: async ({ caller, params, ifMatch, dryRun }) => {
        if (dryRun) {
          const { id, revoked_at } = await apiKeys.get(caller, params.id)
          const ids = revoked_at === null ? [id] : []
          return preview([{ effect: 'revoked', resource: 'api_key', count: ids.length, ids }])
        }
        const row = await apiKeys.revoke(caller, params.id, ifMatch)
        return okRecord(row, present)
      },
    }),
  ]
}

const presentKey = (row: KeyRow, now: number): ApiKey => ({
  id: row.id,
  name: row.name,
  environment: row.environment,
  hint: `${row.app_client_id === null ? 'sk' : 'at'}_${row.environment}_…${row.last_four ?? ''}`,
  permissions: decodeJson(row.permissions),
  agentIds: row.agent_ids === null ? null : decodeJson(row.agent_ids),
  collectionIds: row.collection_ids === null ? null : decodeJson(row.collection_ids),
  filter: row.filter === null ? null : decodeJson(row.filter),
  allowedAddresses: row.allowed_addresses === null ? null : decodeJson(row.allowed_addresses),
  app: appOf(row),
  status: statusOf(row, now),
  userId: row.user_id,
  expiresAt: toOptionalTimestamp(row.expires_at),
  revokedAt: toOptionalTimestamp(row.revoked_at),
  lastUsedAt: toOptionalTimestamp(row.last_used_at),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

function appOf({ app_client_id: clientId, app_host: host, app_audience: audience }: KeyRow): ApiKey['app'] {
  return clientId === null || audience === null ? null : { clientId, host: host ?? '', audience }
}

function statusOf(row: KeyRow, now: number): ApiKey['status'] {
  if (row.revoked_at !== null) return 'revoked'
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active'
}

const Me = Type.Closed('Me', {
  kind: stringEnum(['key', 'person', 'page'], {
    description: 'An API key, a person who is signed in, or a page with a browser token.',
  }),
  userId: nullable(idOf('user'), { description: 'The person, or whom the key acts for; null for a page.' }),
  role: nullable(stringEnum(roles), {
    description: 'Role of that person or service account in the workspace; null for a page.',
  }),
  environment: stringEnum(environments, { description: 'Environment that it belongs to.' }),
  permissions: Type.Array(stringEnum(permissions), {
    description: 'What the caller may do now: for a key, its permissions that its person still has.',
  }),
  key: nullable(
    Type.Closed({
      id: idOf('key'),
      name: Type.String({ description: 'Its name, for people.' }),
      agentIds: nullable(Type.Array(idOf('agent')), {
        description: 'The only agents it reaches; null for all.',
      }),
      collectionIds: nullable(Type.Array(idOf('collection')), {
        description: 'The only collections it reaches; null for all.',
      }),
      filter: nullable(Type.Object({}, { additionalProperties: true }), {
        description: 'The only documents it reaches are those that match; null for all.',
      }),
      allowedAddresses: nullable(Type.Array(Type.String()), {
        description: 'Where it works from; null for anywhere.',
      }),
      expiresAt: nullable(timestamp(), { description: 'When it stops working; null for never.' }),
    }),
    { description: 'The API key; null for a person and for a page.' },
  ),
  browserToken: nullable(
    Type.Closed({
      id: idOf('browserToken'),
      agentId: idOf('agent', { description: 'The only agent that it runs.' }),
      endUserId: Type.String({ description: 'Your id of the end user, whose conversations it reaches.' }),
      expiresAt: timestamp({ description: 'When it stops working.' }),
    }),
    { description: 'The browser token; null unless a page asks.' },
  ),
  workspace: nullable(
    Type.Closed({
      id: idOf('workspace'),
      name: Type.String({ description: 'Its name, for people.' }),
      slug: Type.String({ description: 'Its name in addresses.' }),
      plan: stringEnum(plans, { description: 'Its plan, which sets its limits.' }),
    }),
    { description: 'The workspace; null for a page, before which a stranger may be.' },
  ),
})
type Me = Static<typeof Me>

const example: Me = {
  kind: 'key',
  userId: exampleId('user'),
  role: 'admin',
  environment: 'live',
  permissions: ['agents:read', 'agents:run'],
  key: {
    id: exampleId('key'),
    name: 'Support chat',
    agentIds: [exampleId('agent')],
    collectionIds: null,
    filter: null,
    allowedAddresses: null,
    expiresAt: null,
  },
  browserToken: null,
  workspace: { id: exampleId('workspace'), name: 'Example Ltd', slug: 'example-ltd', plan: 'professional' },
}

/** Tells a program who the caller is; programs call this endpoint first. */
export function meRoute(apiKeys: ApiKeyService, workspaces: WorkspaceService): Route {
  const keyOf = async (caller: RequestCaller): Promise<Me['key']> => {
    if (caller.kind !== 'key' || browserPageOf(caller) !== null) return null
    const { id, name } = await apiKeys.get(caller, caller.keyId)
    const { scope, keyBounds } = caller
    return {
      id,
      name,
      agentIds: scope.agentIds === undefined ? null : [...scope.agentIds],
      collectionIds: scope.collectionIds === undefined ? null : [...scope.collectionIds],
      filter: scope.documentFilter ?? null,
      allowedAddresses: keyBounds.allowedAddresses === null ? null : [...keyBounds.allowedAddresses],
      expiresAt: toOptionalTimestamp(keyBounds.expiresAt),
    }
  }
  return defineRoute({
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    summary: 'Get the caller',
    description:
      'Returns who the key or person is and what it may do now. Any valid key may call it, so it is a good first request.',
    permission: 'any',
    opensToPages: true,
    data: Me,
    example,
    replyTexts: { 200: 'Who the caller is, and what it may do.' },
    handle: async ({ caller }) => {
      const about = {
        environment: caller.scope.environment,
        permissions: permissions.filter(permission => caller.permissions.has(permission)),
        key: await keyOf(caller),
        browserToken: browserTokenOf(caller),
      }
      if (browserPageOf(caller) !== null) {
        return ok({ kind: 'page', userId: null, role: null, ...about, workspace: null })
      }
      const { kind, userId, role } = caller
      const { id, name, slug, plan } = await workspaces.get(caller)
      return ok({ kind, userId, role, ...about, workspace: { id, name, slug, plan } })
    },
  })
}

function browserTokenOf(caller: RequestCaller): Me['browserToken'] {
  const [page, id] = [browserPageOf(caller), browserTokenIdOf(caller)]
  const { endUser } = caller.scope
  if (page === null || id === null || endUser === undefined) return null
  return { id, agentId: page.agentId, endUserId: endUser.id, expiresAt: toTimestamp(page.expiresAt) }
}
