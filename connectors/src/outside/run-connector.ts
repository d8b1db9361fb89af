/** Brings a collection in line with a service from outside the server: by the SDK, with the same file that the server runs. */
import { ApiError, type Atrium, AtriumError } from '@atrium/sdk'
import type { Item } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { createDestination, type Destination } from './destination.ts'
import { type Opening, openContext } from './open-context.ts'
import { RunError } from './run-error.ts'
import type { KeptState } from './run-state.ts'
import { takeContent } from './take-content.ts'
import { takeListing, type WholeListing } from './take-listing.ts'

export type Run = Opening & {
  atrium: Atrium
  collectionId: string
  kept: KeptState
  /** Lists everything, also where the service could tell what changed. */
  full?: boolean
  /** How many documents may be deleted at most where that is a large part; the guard names the number. */
  confirmDeletes?: number | undefined
  /** How far it is, in a line. */
  tell?(line: string): void
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

type Work = Run & {
  source: NonNullable<Run['connector']['source']>
  destination: Destination
  outcome: RunOutcome
}

/** Uploads under way at once. */
const concurrency = 4
const itemTimeoutMs = 5 * 60_000
/** Some sources reveal removed items only in a full listing; they get one every day. */
const longestWithoutFullMs = 24 * 3_600_000
const saveEvery = 25

/** Everything that is told by `kept` is done: a run that was killed goes on from there. Throws `RunError` and `HttpFailure`. */
export async function runConnector(run: Run): Promise<RunOutcome> {
  const { connector, kept, tell = () => undefined } = run
  const { source } = connector
  if (source === undefined)
    throw new RunError(`${connector.id} has no source: there is nothing to keep in sync`)
  const { state } = kept
  const isDue = source.removals !== 'told' && Date.now() - state.lastFullAt >= longestWithoutFullMs
  const since = run.full === true || isDue ? null : state.since
  const startedAt = Date.now()
  const listing = await takeListing(source, openContext(run), since, (page, items) =>
    tell(`page ${page}: ${items} items`),
  )
  const counts: RunCounts = { added: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 }
  const destination = createDestination(run.atrium, run.collectionId, connector.id)
  const outcome: RunOutcome = { isFull: listing.isFull, counts, failures: [] }
  const work: Work = { ...run, source, destination, outcome }
  try {
    const vanished = await takeOver(work, pendingOf(work, listing))
    await removeGone(work, listing, vanished)
    state.since = listing.since
    if (listing.isFull) state.lastFullAt = startedAt
  } finally {
    await kept.save()
  }
  return work.outcome
}

/** What has another version than the one that is known, and what failed before. */
function pendingOf(work: Work, { items, isFull, removed }: WholeListing): Item[] {
  const { source, outcome } = work
  const { state } = work.kept
  const pending: Item[] = []
  for (const item of items.values()) {
    if (state.items[item.id]?.version === item.version) outcome.counts.unchanged += 1
    else pending.push(item)
  }
  for (const [id, { version }] of Object.entries(state.items)) {
    const isAsked = isFull && source.removals === 'asked' && !items.has(id) && !removed.has(id)
    if (isAsked) pending.push({ id, version })
  }
  for (const [id, item] of Object.entries(state.failed)) {
    if (items.has(id)) continue
    if (isFull || removed.has(id)) delete state.failed[id]
    else pending.push(item)
  }
  return pending
}

/** Answers the ids of those that turn out to be gone. */
async function takeOver(work: Work, items: readonly Item[]): Promise<string[]> {
  const { kept, tell = () => undefined } = work
  const vanished: string[] = []
  const queue = items.values()
  let done = 0
  const drain = async () => {
    for (const item of queue) {
      if (!(await takeItem(work, item))) vanished.push(item.id)
      done += 1
      if (done % saveEvery !== 0) continue
      await kept.save()
      tell(`${done} of ${items.length} items`)
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, drain))
  const broken = outcomes.find(outcome => outcome.status === 'rejected')
  if (broken !== undefined) throw broken.reason
  return vanished
}

/** False where the item is gone. Throws only what concerns the whole run. */
async function takeItem(work: Work, item: Item): Promise<boolean> {
  const { kept, source, destination, outcome, signal } = work
  signal.throwIfAborted()
  const { items, failed } = kept.state
  const within = AbortSignal.any([signal, AbortSignal.timeout(itemTimeoutMs)])
  try {
    const content = await takeContent(source, openContext({ ...work, signal: within }), item)
    if (content === null) {
      delete failed[item.id]
      return false
    }
    const before = items[item.id]
    await destination.put(item, content)
    items[item.id] = { version: item.version, sha256: content.sha256 }
    delete failed[item.id]
    if (before === undefined) outcome.counts.added += 1
    else outcome.counts[before.sha256 === content.sha256 ? 'unchanged' : 'changed'] += 1
  } catch (error) {
    signal.throwIfAborted()
    if (isOfTheWhole(error)) throw error
    failed[item.id] = item
    outcome.counts.failed += 1
    outcome.failures.push({ id: item.id, message: error instanceof Error ? error.message : String(error) })
  }
  return true
}

/** The service as a whole, or Atrium as a whole: another item would fare no better. */
function isOfTheWhole(error: unknown): boolean {
  if (error instanceof HttpFailure) {
    return ['not_authorized', 'rate_limited', 'unavailable'].includes(error.kind)
  }
  if (error instanceof ApiError) return ![400, 413, 415, 422].includes(error.statusCode)
  return error instanceof AtriumError
}

/** Whatever the source holds no more goes to the trash, behind the collection's guard. */
async function removeGone(work: Work, { items, removed, isFull }: WholeListing, vanished: readonly string[]) {
  const { state } = work.kept
  const gone = new Set([...removed, ...vanished])
  const showsAbsence = isFull && work.source.removals !== 'asked'
  for (const id of Object.keys(state.items)) if (showsAbsence && !items.has(id)) gone.add(id)
  const isAnyGone = Object.keys(state.items).some(id => gone.has(id))
  if (!isAnyGone && !isFull) return
  const staying = Object.entries(state.items).filter(([id]) => !gone.has(id))
  const entries = staying.map(([externalId, { sha256 }]) => ({ externalId, sha256 }))
  const session = await work.destination.openSession(entries)
  try {
    // Somebody deleted them in the collection, while the source still holds them.
    const lost = session.missing.flatMap(id => items.get(id) ?? [])
    for (const { id } of lost) delete state.items[id]
    await takeOver(work, lost)
    work.outcome.counts.deleted += await session.complete(work.confirmDeletes)
  } catch (error) {
    await session.cancel()
    throw error
  }
  for (const id of gone) delete state.items[id]
}
