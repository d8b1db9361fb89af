/**
 * An index over the signs, which finds the nearest if a workspace has more chunks than a scan may take and PostgreSQL
 * has pgvector. It is made in the background, beside reads and writes, and dropped when it is no longer needed.
 */
import type { Scope } from '../../../platform/caller.ts'
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { encodeSigns, signsOf } from '../records/vector-bytes.ts'
import type { VectorModel } from '../records/vectors-store.ts'
import { type ReachRequest, readReach } from '../search/ranking/reach.ts'
import type { SearchedIndex } from '../search/ranking/searched-index.ts'
import {
  dropStatement,
  findPgvector,
  listLarge,
  listSignIndexes,
  makeStatement,
  nameOf,
  readNear,
  type SignIndex,
} from './sign-indexes-store.ts'

export const signIndexQueue = 'knowledge-sign-index'

export type NearestRequest = {
  scope: Scope
  request: ReachRequest
  index: SearchedIndex
  model: VectorModel
  /** The numbers of the collections that are searched. */
  collections: readonly number[]
  vector: Float32Array
}

export type SignIndexes = ReturnType<typeof createSignIndexes>

/** An index is made a little before the limit is reached, and kept a little longer than it is needed. */
const madeFrom = 0.9
const keptFrom = 0.8
/** This many of the nearest are read; a broad filter leaves few of them, so more are read with it. */
const readAtOnce = 2_000
const readForFilter = 20_000

export function createSignIndexes({
  database,
  jobs,
  log,
  maxVectors,
}: Pick<Platform, 'database' | 'jobs' | 'log'> & {
  /** The most chunks that an index may have to be scanned instead. */
  maxVectors: number
}) {
  const { read, maintain } = database
  let isRefused = false

  const readPlan = async (): Promise<{ make: SignIndex[]; drop: string[] }> => {
    const [made, wanted, kept] = await Promise.all([
      listSignIndexes(read),
      listLarge(read, Math.floor(madeFrom * maxVectors)),
      listLarge(read, Math.floor(keptFrom * maxVectors)),
    ])
    const isThere = new Set(made.filter(one => one.isValid || one.isBeingMade).map(({ name }) => name))
    const isKept = new Set(kept.map(nameOf))
    const isUseless = ({ name }: { name: string }) => !isThere.has(name) || !isKept.has(name)
    return {
      make: wanted.filter(one => !isThere.has(nameOf(one))),
      drop: made.filter(one => !one.isBeingMade && isUseless(one)).map(({ name }) => name),
    }
  }

  const isPossible = async (): Promise<boolean> =>
    maintain !== null && !isRefused && (await findPgvector(read)) !== null

  return {
    /** The numbers of the nearest chunks, nearest first. `reason` says why there is no index (yet). */
    async nearest({
      scope,
      request,
      index,
      model,
      collections,
      vector,
    }: NearestRequest): Promise<{ numbers: number[] } | { reason: string }> {
      if (!(await isPossible()))
        return { reason: 'the database has no pgvector (0.8 or newer) that could search more' }
      const of = { index: index.number, model: model.number, dimensions: model.dimensions }
      const isMade = (await listSignIndexes(read)).some(({ name, isValid }) => isValid && name === nameOf(of))
      if (!isMade) return { reason: 'the index that can search more is still being made' }
      const reach = await readReach(database.engine, scope, read, request)
      if (reach === null) return { numbers: [] }
      const { narrowing } = reach
      const near = { of, collections, narrowing, signs: encodeSigns(signsOf(vector)) }
      const most = narrowing?.kind === 'many' ? readForFilter : readAtOnce
      return { numbers: await readNear(read, near, most) }
    },

    /** Queues the job if an index is missing, or if one is no longer needed. */
    async sweep(): Promise<void> {
      if (!(await isPossible())) return
      const { make, drop } = await readPlan()
      if (make.length + drop.length === 0) return
      await database.write(tx =>
        jobs.enqueue(tx, {
          queue: signIndexQueue,
          workspaceId: null,
          payload: {},
          uniqueKey: signIndexQueue,
        }),
      )
    },

    queue: {
      concurrency: 1,
      leaseMs: minuteMs,
      maxAttempts: 3,
      backoffMs: 30 * secondMs,
      // If the job is cut short, PostgreSQL continues to make the index. The next sweep sees the index.
      timeoutMs: 12 * hourMs,
      async handle({ signal }) {
        if (maintain === null) return
        try {
          await maintain('CREATE EXTENSION IF NOT EXISTS vector', signal)
        } catch (error) {
          signal.throwIfAborted()
          isRefused = true
          log.warn('pgvector cannot be used: have a superuser run CREATE EXTENSION vector, and start again', {
            error,
          })
          return
        }
        const { make, drop } = await readPlan()
        for (const name of drop) await maintain(dropStatement(name), signal)
        for (const one of make) await maintain(makeStatement(one), signal)
      },
    } satisfies Queue,
  }
}
