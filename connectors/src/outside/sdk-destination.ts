/**
 * The sync engine's destination outside the server: a collection that the SDK reaches, and a file that records its
 * items.
 */
import { createHash } from 'node:crypto'
import { ApiError, type Atrium, AtriumError, ConflictError, type Sync } from '@atrium/sdk'
import type { Item } from '../connector.ts'
import type { FetchedContent } from '../syncing/fetch-content.ts'
import type {
  Destination,
  FetchSummary,
  ItemFailure,
  PageEnd,
  Position,
  WaitingItem,
} from '../syncing/follow-source.ts'
import { SourceFault } from '../syncing/source-fault.ts'
import type { KeptState, RunState } from './run-state.ts'

const maxBytes = 500 * 1024 * 1024
const entriesAPage = 10_000
const saveEvery = 25

/** A run cannot be carried out, or was stopped before it did harm; the message says what to do. */
export class RunError extends Error {
  override readonly name = 'RunError'
}

export type RunCounts = {
  added: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
}

export type RunOutcome = {
  isFull: boolean
  counts: RunCounts
  /** The items that failed, each with its reason; tried again at the next run. */
  failures: { id: string; message: string }[]
}

type Run = {
  atrium: Atrium
  collectionId: string
  /** The connector's id, which documents name as their source. */
  sourceId: string
  kept: KeptState
  /** Null if everything is listed. */
  since: string | null
  signal: AbortSignal
  tell(line: string): void
}

/** One run. The listed items stay in memory until the run ends; the file records each item that was put. */
export class SdkDestination implements Destination {
  position: Position
  readonly #run: Run
  readonly #state: RunState
  readonly #startedAt = Date.now()
  readonly #failedBefore: number
  readonly #listed = new Map<string, Item>()
  readonly #gone = new Set<string>()
  readonly #waiting = new Map<string, WaitingItem>()
  readonly #failures = new Map<string, string>()
  readonly #counts = { added: 0, changed: 0, unchanged: 0, deleted: 0 }
  #nextSince: string | null = null
  #tried = 0

  constructor(run: Run) {
    this.#run = run
    this.#state = run.kept.state
    this.#failedBefore = Object.keys(this.#state.failed).length
    this.position = { ...firstPage, isFull: run.since === null, since: run.since }
  }

  requireTime(): void {
    this.#run.signal.throwIfAborted()
  }

  async startOver(): Promise<void> {
    this.position = { ...firstPage, isFull: true, since: null }
    this.#listed.clear()
    this.#gone.clear()
  }

  async addListed(items: readonly Item[]): Promise<number> {
    for (const item of items) {
      this.#listed.set(item.id, item)
      this.#gone.delete(item.id)
    }
    return this.#listed.size
  }

  async addRemoved(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#gone.add(id)
      this.#listed.delete(id)
    }
  }

  async settleUnlisted(as: 'gone' | 'waiting'): Promise<void> {
    for (const [id, { version }] of Object.entries(this.#state.items)) {
      if (this.#listed.has(id) || this.#gone.has(id)) continue
      if (as === 'gone') this.#gone.add(id)
      else this.#wait({ id, version })
    }
  }

  async endPage({ nextSince = null, ...end }: PageEnd): Promise<void> {
    this.position = { ...this.position, ...end, pages: this.position.pages + 1 }
    this.#run.tell(`page ${this.position.pages}: ${this.#listed.size} items`)
    if (this.position.phase === 'listing') return
    this.#nextSince = nextSince
    this.#chooseWaiting()
  }

  /** Queues the items whose version changed, and the items that failed before. */
  #chooseWaiting(): void {
    for (const item of this.#listed.values()) {
      if (this.#state.items[item.id]?.version === item.version) this.#counts.unchanged += 1
      else this.#wait(item)
    }
    for (const [id, item] of Object.entries(this.#state.failed)) {
      if (this.#listed.has(id)) continue
      if (this.position.isFull || this.#gone.has(id)) delete this.#state.failed[id]
      else this.#wait(item)
    }
  }

  #wait(item: Item): void {
    this.#waiting.set(item.id, { item, tries: 0 })
  }

  async *waiting(tries: number): AsyncGenerator<readonly WaitingItem[]> {
    yield [...this.#waiting.values()].filter(entry => entry.tries < tries)
  }

  async put(item: Item, content: FetchedContent): Promise<void> {
    const { fileName, mediaType, title = item.title, metadata = {} } = content
    const { atrium, collectionId, sourceId } = this.#run
    const bytes = await bytesOf(content)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await atrium.knowledge.documents.put({
      collectionId,
      externalId: item.id,
      title,
      file: { name: safeName(fileName), content: bytes, mediaType },
      metadata: { source: sourceId, ...metadata },
    })
    const before = this.#state.items[item.id]
    this.#state.items[item.id] = { version: item.version, sha256 }
    delete this.#state.failed[item.id]
    if (before === undefined) this.#counts.added += 1
    else this.#counts[before.sha256 === sha256 ? 'unchanged' : 'changed'] += 1
    await this.#endItem(item.id)
  }

  async markGone({ id }: Item): Promise<void> {
    this.#gone.add(id)
    delete this.#state.failed[id]
    await this.#endItem(id)
  }

  async markFailed(item: Item, { message }: ItemFailure, tries: number, isLast: boolean): Promise<void> {
    this.#state.failed[item.id] = item
    this.#waiting.set(item.id, { item, tries })
    if (!isLast) return
    this.#failures.set(item.id, message)
    await this.#endItem(item.id)
  }

  async #endItem(id: string): Promise<void> {
    this.#waiting.delete(id)
    this.#tried += 1
    if (this.#tried % saveEvery !== 0) return
    await this.#run.kept.save()
    this.#run.tell(`${this.#tried} items are done, ${this.#waiting.size} wait`)
  }

  async summary(): Promise<FetchSummary> {
    const [[id, message] = ['', '']] = this.#failures
    return {
      tried: this.#tried,
      failed: this.#failures.size,
      first: id === '' ? null : { id, message },
      waiting: this.#failures.size,
      kept: Object.keys(this.#state.items).length,
      failedBefore: this.#failedBefore,
    }
  }

  async endFetching(): Promise<void> {
    this.position = { ...this.position, phase: 'removing' }
  }

  readonly failureOf = failureOf
  readonly isOwnError = (): boolean => false

  /**
   * Moves the documents of gone items to the trash, behind the collection's guard. Throws `RunError` if they are too
   * many. `fetchLost` fetches items whose documents were deleted in the collection while the source still holds them.
   */
  async removeGone(confirmDeletes: number | undefined, fetchLost: () => Promise<void>): Promise<void> {
    const { items } = this.#state
    const isAnyGone = Object.keys(items).some(id => this.#gone.has(id))
    if (isAnyGone || this.position.isFull) {
      const staying = Object.entries(items).filter(([id]) => !this.#gone.has(id))
      const entries = staying.map(([externalId, { sha256 }]) => ({ externalId, sha256 }))
      const session = await openSession(this.#run.atrium, this.#run.collectionId, entries)
      try {
        const lost = session.missing.flatMap(id => this.#listed.get(id) ?? [])
        for (const item of lost) {
          delete items[item.id]
          this.#wait(item)
        }
        await fetchLost()
        this.#counts.deleted += await session.complete(confirmDeletes)
      } catch (error) {
        await session.cancel()
        throw error
      }
      for (const id of this.#gone) delete items[id]
    }
    this.#state.since = this.#nextSince
    if (this.position.isFull) this.#state.lastFullAt = this.#startedAt
  }

  outcome(): RunOutcome {
    const { isFull } = this.position
    const failures = [...this.#failures].map(([id, message]) => ({ id, message }))
    return { isFull, counts: { ...this.#counts, failed: failures.length }, failures }
  }
}

const firstPage = { phase: 'listing', page: null, pages: 0, landmark: null } as const

/** Null for an error that concerns Atrium as a whole, since every other item would fail too. */
function failureOf(error: unknown): ItemFailure | null {
  if (error instanceof ApiError) {
    if (![400, 413, 415, 422].includes(error.statusCode)) return null
    return { code: error.code, message: error.message, isLasting: true }
  }
  if (!(error instanceof Error) || error instanceof AtriumError) return null
  return { code: 'connector_fault', message: error.message, isLasting: true }
}

/** The content as a whole. Throws `SourceFault` if it is too large. */
export async function bytesOf({ body }: FetchedContent): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > maxBytes) {
      throw new SourceFault('payload_too_large', `The body has more than ${maxBytes} bytes`)
    }
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces, size))
}

/** Replaces what the server refuses in a name, as the server's own syncs do. A bad name must not cost the item. */
const safeName = (name: string): string => {
  const plain = name.toWellFormed().replaceAll(/[\\/\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
  const cut = plain.trim().slice(-255)
  return ['', '.', '..'].includes(cut) ? 'unnamed' : cut.toWellFormed()
}

type Session = {
  /** Ids of entries that the collection lacks. */
  missing: string[]
  /**
   * Deletes the documents that were not among the entries, and returns their number. Throws `RunError` if they are
   * too many.
   */
  complete(confirmDeletes: number | undefined): Promise<number>
  /** Deletes nothing. Has no effect if the session has already ended. */
  cancel(): Promise<void>
}

/** Opens a session with all entries that the source holds. */
async function openSession(
  { knowledge: { syncs } }: Atrium,
  collectionId: string,
  entries: readonly { externalId: string; sha256: string }[],
): Promise<Session> {
  // This manifest is whole, so a session that a killed run left open is of no use.
  const opened = await syncs.open(collectionId, { entries: entries.slice(0, entriesAPage), ifOpen: 'cancel' })
  const missing = opened.upload.map(({ externalId }) => externalId)
  const { id } = opened.sync
  for (let from = entriesAPage; from < entries.length; from += entriesAPage) {
    const { upload } = await syncs.add(id, entries.slice(from, from + entriesAPage))
    missing.push(...upload.map(({ externalId }) => externalId))
  }
  return {
    missing,

    async complete(confirmDeletes) {
      const confirmation = confirmDeletes === undefined ? {} : { confirmDeletes }
      try {
        let sync: Sync = await syncs.complete(id, confirmation)
        // Many deletions go on in the background.
        while (sync.status === 'completing') {
          await new Promise(resolve => setTimeout(resolve, 1_000))
          sync = await syncs.get(id)
        }
        return sync.deleted
      } catch (error) {
        if (!(error instanceof ConflictError && error.code === 'delete_guard')) throw error
        const [what = ''] = error.message.split('. ')
        throw new RunError(`${what}, so nothing was deleted. If that is meant, confirm exactly this number`, {
          cause: error,
        })
      }
    },

    async cancel() {
      await syncs.cancel(id).catch((error: unknown) => {
        // The session has already ended, so there is nothing to cancel.
        if (!(error instanceof ConflictError)) throw error
      })
    },
  }
}
