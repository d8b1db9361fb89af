/** One item of a source becomes a document, or the next version of one; what it has come to is written in the same transaction. */
import type { Content, ItemMetadata } from '@atrium/connectors'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { AuditService } from '../../audit/service.ts'
import type { DocumentService } from '../../knowledge/documents/documents-service.ts'
import type { Limits } from '../../limits/service.ts'
import { fetchItem, receiveContent } from './item-content.ts'
import { type ItemRow, updateItem } from './items-store.ts'
import type { SyncAttempt } from './sync-attempt.ts'
import { itemFailureOf } from './sync-failure.ts'

export type TakeItem = (
  attempt: SyncAttempt,
  row: ItemRow,
  fetchContent: () => Promise<Content | null>,
) => Promise<void>

/** As every document's metadata are. */
type Metadata = Record<string, string | number | boolean | string[]>

const maxTitleCharacters = 500
const maxFields = 50
const ownFields = 2
const maxFieldCharacters = 2_000
const maxListed = 100
const maxListedCharacters = 500

export function createTakeItem(dependencies: {
  blobs: BlobStore
  limits: Limits
  documents: Pick<DocumentService, 'put'>
  audit: AuditService
}): TakeItem {
  const { blobs, limits, documents, audit } = dependencies
  // The entry of the sync's beginning stands for its documents.
  const parts = audit.partsOf(null)

  return async (attempt, row, fetchContent) => {
    const { caller, sync, scope, faults, signal } = attempt
    const content = await fetchItem(fetchContent, signal)
    if (content === null) {
      // It went between the listing and now; the removal deals with it.
      return attempt.write(async tx => {
        await updateItem(scope, tx, row, { gone: 1, pending: 0, tried_in: sync.id, error_code: null })
        return {}
      })
    }
    const file = await receiveContent(blobs, content, limits.of(caller).uploadBytes, signal)
    faults.reach('connection-sync.item-fetched')
    try {
      const target = { collectionId: sync.collection_id, externalId: row.external_id }
      const title = (content.title ?? row.title ?? '').replaceAll('\0', '').slice(0, maxTitleCharacters)
      const fields = {
        title: title !== '' ? title : undefined,
        metadata: {
          ...metadataOf(content.metadata),
          source: attempt.integrationId,
          connectionId: sync.connection_id,
        },
      }
      await documents.put(caller, target, fields, file, {
        ifMatch: null,
        ifNoneMatch: false,
        waitMs: 0,
        signal,
        audit: parts,
        also: async (tx, { row: document, outcome }) => {
          await keepItem(attempt, tx, row, { documentId: document.id, sha256: file.sha256 })
          await attempt.advance(tx, { counts: { [countOf(outcome)]: 1 }, change: { setbacks: 0 } })
        },
      })
    } finally {
      await blobs.discard(file)
    }
    faults.reach('connection-sync.item-written')
  }
}

/** Written down with the item, unless it is a failure of the whole: that is thrown on. */
export async function takeFailure(
  attempt: SyncAttempt,
  row: ItemRow,
  error: unknown,
  maxTries: number,
): Promise<void> {
  const failure = itemFailureOf(error)
  if (failure === null) throw error
  const { sync, scope, clock } = attempt
  const before = row.tried_in === sync.id ? row.attempts : 0
  const attempts = failure.isLasting ? maxTries : before + 1
  await attempt.write(async tx => {
    await updateItem(scope, tx, row, {
      attempts,
      tried_in: sync.id,
      updated_at: clock(),
      error_code: failure.code,
      error_message: failure.message,
    })
    return { counts: { failed: attempts >= maxTries ? 1 : 0 } }
  })
}

async function keepItem(
  { scope, sync, clock }: SyncAttempt,
  tx: Tx,
  row: ItemRow,
  { documentId, sha256 }: { documentId: string; sha256: string },
): Promise<void> {
  await updateItem(scope, tx, row, {
    pending: 0,
    sha256,
    document_id: documentId,
    tried_in: sync.id,
    updated_at: clock(),
    error_code: null,
    error_message: null,
  })
}

type Outcome = Awaited<ReturnType<DocumentService['put']>>['outcome']

const countOf = (outcome: Outcome): 'added' | 'changed' | 'unchanged' =>
  outcome === 'created' ? 'added' : outcome

/** What a source says of an item, within the limits of every document's metadata: what is too long is cut. */
function metadataOf(metadata: ItemMetadata = {}): Metadata {
  const entries = Object.entries(metadata).flatMap(([name, value]) => {
    const kept = fieldOf(value)
    const isName = name !== '' && name.length <= 100 && !name.startsWith('$')
    return kept === null || !isName ? [] : [[name, kept] as const]
  })
  return Object.fromEntries(entries.slice(0, maxFields - ownFields))
}

function fieldOf(value: unknown): Metadata[string] | null {
  if (typeof value === 'string') return value.replaceAll('\0', '').slice(0, maxFieldCharacters)
  if (typeof value === 'boolean' || Number.isFinite(value)) return value as boolean | number
  if (!Array.isArray(value)) return null
  const texts = value.filter(item => typeof item === 'string').slice(0, maxListed)
  return texts.map(text => text.replaceAll('\0', '').slice(0, maxListedCharacters))
}
