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
    tag: 'knowledge',
    summary: 'List collections',
    description: 'The knowledge collections that the key can reach, newest first.',
    permission: 'knowledge:read',
    list: standardList,
    data: Type.Array(Collection),
    example: [collectionExample],
    success: [200],
    errors: [],
    handle: async ({ caller, page }) => {
      const rows = await collections.list(caller, page)
      return listed({ items: await collections.presentAll(caller, rows.items), total: rows.total }, page)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/collections',
    operationId: 'createCollection',
    tag: 'knowledge',
    summary: 'Create a collection',
    description:
      'A collection holds documents that belong together; agents and keys can be narrowed to some. With `access: teams` it is there for some teams only: a member may keep one to teams of their own, and with `teams:write` to any.',
    permission: 'knowledge:write',
    audit: 'collection.create',
    body: NewCollection,
    bodyExample: { name: 'Handbook', description: 'How we work.' },
    data: Collection,
    example: collectionExample,
    success: [201],
    errors: ['conflict'],
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
    tag: 'knowledge',
    summary: 'Get a collection',
    description: 'One collection with its counts.',
    permission: 'knowledge:read',
    data: Collection,
    example: collectionExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params }) => {
      const row = await collections.get(caller, params.id)
      return ok(await collections.present(caller, row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/knowledge/collections/:id',
    operationId: 'updateCollection',
    tag: 'knowledge',
    summary: 'Change a collection',
    description:
      'Renames or describes it, or says who reaches it (which takes `teams:write`); its documents are not touched. Members who no longer reach it do not find it from the next request on, on other servers within ten seconds.',
    permission: 'knowledge:write',
    audit: 'collection.update',
    body: CollectionChange,
    bodyExample: { name: 'Handbook 2027' },
    data: Collection,
    example: { ...collectionExample, name: 'Handbook 2027' },
    success: [200],
    errors: ['conflict', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await collections.update(caller, params.id, body, ifMatch)
      return ok(await collections.present(caller, row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/knowledge/collections/:id',
    operationId: 'deleteCollection',
    tag: 'knowledge',
    summary: 'Delete a collection',
    description:
      'Deletes the collection with all of its documents. From the reply on nothing of it is found. It stays in the trash for 30 days (`ATRIUM_TRASH_DAYS`), from where it can be restored; with `erase=true` it is erased at once and for good, in the background.',
    permission: 'knowledge:write',
    audit: 'collection.delete',
    destructive: true,
    query: eraseParameter,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, query, ifMatch, dryRun }) => {
      const { row, documentIds } = await trash.collections.remove(caller, params.id, {
        ifMatch,
        dryRun,
        erase: query.erase === true,
      })
      if (!dryRun) return noContent()
      return preview([
        { effect: 'deleted', resource: 'collection', count: 1, ids: [row.id] },
        { effect: 'deleted', resource: 'document', count: row.document_count, ids: documentIds },
      ])
    },
  }),
]
