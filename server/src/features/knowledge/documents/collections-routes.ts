/** Endpoints for collections. */

import {
  created,
  defineRoute,
  listed,
  noContent,
  ok,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { Collection, CollectionChange, collectionExample, NewCollection } from '../records/schemas.ts'
import type { CollectionService } from './collections-service.ts'
import { eraseParameter } from './documents-routes.ts'
import type { TrashService } from './trash-service.ts'

export const collectionRoutes = (collections: CollectionService, trash: TrashService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/collections',
    operationId: 'listCollections',
    summary: 'List collections',
    description: 'Knowledge collections that the key can access, newest first.',
    permission: 'knowledge:read',
    list: {
      ...standardList,
      sorts: ['createdAt', 'updatedAt', 'name'],
      dates: ['created', 'updated'],
      named: 'name or description',
    },
    data: Type.Array(Collection),
    example: [collectionExample],
    handle: async ({ caller, page }) => {
      const rows = await collections.list(caller, page)
      return listed({ ...rows, items: await collections.presentAll(caller, rows.items) }, page)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/collections',
    operationId: 'createCollection',
    summary: 'Create a collection',
    description:
      'A collection holds documents that belong together. Agents and keys can be narrowed to collections. With `access: teams` only some teams can access it: members can choose their own teams, and callers with `teams:write` any team.',
    permission: 'knowledge:write',
    audit: 'collection.create',
    body: NewCollection,
    bodyExample: { name: 'Handbook', description: 'How we work.' },
    data: Collection,
    example: collectionExample,
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, body }) => {
      const row = await collections.create(caller, body)
      const collection = await collections.present(caller, row)
      return created(collection, `/knowledge/collections/${row.id}`, etagOf(row))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/collections/:id',
    operationId: 'getCollection',
    summary: 'Get a collection',
    description: 'Returns one collection with its counts.',
    permission: 'knowledge:read',
    data: Collection,
    example: collectionExample,
    handle: async ({ caller, params }) => {
      const row = await collections.get(caller, params.id)
      return ok(await collections.present(caller, row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/knowledge/collections/:id',
    operationId: 'updateCollection',
    summary: 'Change a collection',
    description:
      'Changes the name, the description, or who can access the collection, which also needs `teams:write`. Its documents stay unchanged. Members who lose access no longer find it from the next request, on other servers within ten seconds.',
    permission: 'knowledge:write',
    audit: 'collection.update',
    body: CollectionChange,
    bodyExample: { name: 'Handbook 2027' },
    data: Collection,
    example: { ...collectionExample, name: 'Handbook 2027' },
    errors: ['limit_reached', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await collections.update(caller, params.id, body, ifMatch)
      return ok(await collections.present(caller, row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/knowledge/collections/:id',
    operationId: 'deleteCollection',
    summary: 'Delete a collection',
    description:
      'Deletes the collection with all its documents. As soon as the request succeeds, search finds nothing in it. It stays in the trash for 30 days (`ATRIUM_TRASH_DAYS`) and can be restored. With `erase=true` it is permanently erased in the background instead. A dry run also lists the agents that search it (with `agents:read`): they find nothing in it from then on.',
    permission: 'knowledge:write',
    audit: 'collection.delete',
    destructive: true,
    query: eraseParameter,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, query, ifMatch, dryRun }) => {
      const { row, documentIds, agents } = await trash.collections.remove(caller, params.id, {
        ifMatch,
        dryRun,
        erase: query.erase === true,
      })
      if (!dryRun) return noContent()
      return preview([
        { effect: 'deleted', resource: 'collection', count: 1, ids: [row.id] },
        { effect: 'deleted', resource: 'document', count: row.document_count, ids: documentIds },
        ...(agents.count === 0 ? [] : [{ effect: 'detached', resource: 'agent', ...agents } as const]),
      ])
    },
  }),
]
