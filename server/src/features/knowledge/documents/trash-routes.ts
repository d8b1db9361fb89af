/** Endpoints for the trash. */

import {
  defineRoute,
  listed,
  noContent,
  ok,
  okRecord,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import {
  Collection,
  collectionExample,
  Document,
  documentExample,
  TrashedCollection,
  TrashedDocument,
} from '../records/schemas.ts'
import type { CollectionService } from './collections-service.ts'
import { type DocumentService, presentDocument } from './documents-service.ts'
import type { TrashService } from './trash-service.ts'

const exampleTimes = { deletedAt: '2026-11-21T09:30:00.000Z', eraseAt: '2026-12-21T09:30:00.000Z' }

const presentTimes = ({ deleted_at, erase_at }: { deleted_at: number; erase_at: number }) => ({
  deletedAt: toTimestamp(deleted_at),
  eraseAt: toTimestamp(erase_at),
})

export const trashRoutes = (
  trash: TrashService,
  documents: DocumentService,
  collections: CollectionService,
): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/trash',
    operationId: 'listTrash',
    summary: 'List the documents in the trash',
    description:
      'Deleted documents that can still be restored, newest first. Documents of a deleted collection are not listed: restore the collection.',
    permission: 'knowledge:read',
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(TrashedDocument),
    example: [{ ...documentExample, ...exampleTimes }],
    handle: async ({ caller, page }) => {
      const { items, total } = await trash.list(caller, page)
      return listed(
        { items: items.map(row => ({ ...presentDocument(row), ...presentTimes(row) })), total },
        page,
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/trash/collections',
    operationId: 'listTrashedCollections',
    summary: 'List the collections in the trash',
    description: 'Deleted collections that can still be restored with all their documents, newest first.',
    permission: 'knowledge:read',
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(TrashedCollection),
    example: [{ ...collectionExample, ...exampleTimes }],
    handle: async ({ caller, page }) => {
      const { items, total } = await trash.collections.list(caller, page)
      const present = async (row: (typeof items)[number]) => ({
        ...(await collections.present(caller, row)),
        ...presentTimes(row),
      })
      return listed({ items: await Promise.all(items.map(present)), total }, page)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/knowledge/trash',
    operationId: 'emptyTrash',
    summary: 'Empty the trash',
    description:
      'As soon as the request succeeds, nothing in the trash can be restored. Everything in it is permanently erased in the background.',
    permission: 'knowledge:write',
    audit: 'trash.empty',
    destructive: true,
    success: [204],
    replyTexts: { 204: 'The trash is empty. The reply has no body.' },
    handle: async ({ caller, dryRun }) => {
      if (!dryRun) {
        await trash.empty(caller)
        return noContent()
      }
      const { documents, documentIds, collections, collectionIds } = await trash.contents(caller)
      return preview([
        { effect: 'deleted', resource: 'document', count: documents, ids: documentIds },
        { effect: 'deleted', resource: 'collection', count: collections, ids: collectionIds },
      ])
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/:id/restore',
    operationId: 'restoreDocument',
    summary: 'Restore a document from the trash',
    description:
      'The document is listed at once, and found as soon as its status is `ready`. `Prefer: wait=N` waits for that. 409 if another document of the collection now has its external id.',
    permission: 'knowledge:write',
    audit: 'document.restore',
    waits: true,
    data: Document,
    example: documentExample,
    errors: ['already_exists', 'not_in_trash'],
    handle: async ({ caller, params, patience }) => {
      const restored = await trash.restore(caller, params.id)
      const row = await documents.settled(caller, restored, patience())
      return okRecord(row, presentDocument)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/collections/:id/restore',
    operationId: 'restoreCollection',
    summary: 'Restore a collection from the trash',
    description:
      'Restores the collection with all its documents. Search finds them again as soon as the request succeeds.',
    permission: 'knowledge:write',
    audit: 'collection.restore',
    data: Collection,
    example: collectionExample,
    errors: ['not_in_trash'],
    handle: async ({ caller, params }) => {
      const row = await trash.collections.restore(caller, params.id)
      return ok(await collections.present(caller, row), etagOf(row))
    },
  }),
]
