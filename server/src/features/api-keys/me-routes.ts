/** Who the caller is: the endpoint that a program asks first. */
import { defineRoute, ok, type Route } from '../../http/route.ts'
import {
  browserPageOf,
  browserTokenIdOf,
  environments,
  permissions,
  plans,
  type RequestCaller,
  roles,
} from '../../platform/caller.ts'
import { toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import type { ApiKeyService } from './service.ts'

const Me = Type.Closed('Me', {
  kind: stringEnum(['key', 'person', 'page'], {
    description: 'An API key, a person who is signed in, or a page with a browser token.',
  }),
  userId: idOf('user', { description: 'The person, or whom the key acts for.' }),
  role: stringEnum(roles, { description: 'Role of that person or service account in the workspace.' }),
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
  workspace: Type.Closed({
    id: idOf('workspace'),
    name: Type.String({ description: 'Its name, for people.' }),
    slug: Type.String({ description: 'Its name in addresses.' }),
    plan: stringEnum(plans, { description: 'Its plan, which sets its limits.' }),
  }),
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
      const { id, name, slug, plan } = await workspaces.get(caller)
      return ok({
        kind: browserPageOf(caller) === null ? caller.kind : 'page',
        userId: caller.userId,
        role: caller.role,
        environment: caller.scope.environment,
        permissions: permissions.filter(permission => caller.permissions.has(permission)),
        key: await keyOf(caller),
        browserToken: browserTokenOf(caller),
        workspace: { id, name, slug, plan },
      })
    },
  })
}

function browserTokenOf(caller: RequestCaller): Me['browserToken'] {
  const [page, id] = [browserPageOf(caller), browserTokenIdOf(caller)]
  const { endUser } = caller.scope
  if (page === null || id === null || endUser === undefined) return null
  return { id, agentId: page.agentId, endUserId: endUser.id, expiresAt: toTimestamp(page.expiresAt) }
}
