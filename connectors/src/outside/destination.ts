/** The collection that a run brings in line, by the same verbs that any program has. */
import { type Atrium, ConflictError, type Sync } from '@atrium/sdk'
import type { Item } from '../connector.ts'
import { RunError } from './run-error.ts'
import type { TakenContent } from './take-content.ts'

const entriesAPage = 10_000

type Entry = { externalId: string; sha256: string }

export type Destination = {
  put(item: Item, content: TakenContent): Promise<void>
  /** Tells the collection all that the source holds. `missing` are the ids that the collection lacks. */
  openSession(entries: readonly Entry[]): Promise<Session>
}

type Session = {
  missing: string[]
  /** Deletes what was not among the entries, and answers how many documents. Throws `RunError` where they are too many. */
  complete(confirmDeletes?: number): Promise<number>
  /** Deletes nothing; does nothing where the session has ended already. */
  cancel(): Promise<void>
}

export function createDestination(atrium: Atrium, collectionId: string, source: string): Destination {
  const { documents, syncs } = atrium.knowledge
  return {
    async put(item, { bytes, fileName, mediaType, title = item.title, metadata = {} }) {
      await documents.put({
        collectionId,
        externalId: item.id,
        title,
        file: { name: fileName, content: bytes, mediaType },
        metadata: { source, ...metadata },
      })
    },
    async openSession(entries) {
      const opened = await syncs.open(collectionId, { entries: entries.slice(0, entriesAPage) })
      const missing = opened.upload.map(({ externalId }) => externalId)
      const { id } = opened.sync
      for (let from = entriesAPage; from < entries.length; from += entriesAPage) {
        const { upload } = await syncs.add(id, entries.slice(from, from + entriesAPage))
        missing.push(...upload.map(({ externalId }) => externalId))
      }
      return {
        missing,
        complete: confirmDeletes => complete(atrium, id, confirmDeletes),
        async cancel() {
          await syncs.cancel(id).catch((error: unknown) => {
            // It has ended: there is nothing to cancel.
            if (!(error instanceof ConflictError)) throw error
          })
        },
      }
    },
  }
}

async function complete({ knowledge }: Atrium, id: string, confirmDeletes?: number): Promise<number> {
  try {
    let sync: Sync = await knowledge.syncs.complete(
      id,
      confirmDeletes === undefined ? {} : { confirmDeletes },
    )
    // Many deletions go on in the background.
    while (sync.status === 'completing') {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      sync = await knowledge.syncs.get(id)
    }
    return sync.deleted
  } catch (error) {
    if (error instanceof ConflictError && error.code === 'delete_guard') {
      const [what = ''] = error.message.split('. ')
      throw new RunError(`${what}, so nothing was deleted. If that is meant, confirm exactly this number`, {
        cause: error,
      })
    }
    throw error
  }
}
