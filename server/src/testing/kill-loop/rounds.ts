/** The kill loop: a real server is killed at one fault point after the other, started again, and asked what it still knows. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import type { FaultPoint } from '../../platform/faults.ts'
import { expireLeases } from '../leases.ts'
import type { Installation, RunningServer } from '../operator.ts'
import type { Book } from './book.ts'
import { createClient } from './call.ts'
import { check } from './check.ts'
import { drive } from './drive.ts'
import type { Errand } from './errand.ts'

/** With a number where the kill comes at just that passing, since it is another moment than the first. */
export type KillPoint = FaultPoint | `${FaultPoint}:${number}`

export type Tally = {
  /** How often a server was killed at each point, and by whom. */
  kills: Map<KillPoint | 'any moment', number>
  /** Points that were not passed often enough in a round: their first passing is tried from then on. */
  missed: Set<KillPoint>
  acknowledged: number
  checks: number
}

export type LoopOptions = {
  installation: Installation
  /** It runs already, and passes fault points unharmed: the first round kills it. */
  server?: RunningServer | undefined
  database: Database
  key: string
  book: Book
  errands: readonly Errand[]
  /** Requests about documents that are in progress at once; six unless given. */
  lanes?: number | undefined
  /** Settings of the server that is to be killed at the point. */
  settingsFor(point: KillPoint | null): Record<string, string>
  random: () => number
  /** Kills at a point are tried by turns; the first of so many rounds kills after some changes instead, at any moment. */
  points: readonly KillPoint[]
  anyMomentEvery?: number
  /** A point that is not passed within this time has its turn again later; 12 seconds unless given. */
  roundMs?: number
  /** A point without a number kills at one of its first so many passings. */
  maxNth?: number | undefined
  /** At a point the server blocks for ever instead, and its own watcher ends it. */
  hangs?: boolean | undefined
  onLine?: (line: string) => void
}

const usualLanes = 6
const usualRoundMs = 12_000
const mostChanges = 30
const longestMomentMs = 200
const maxSaid = 4_000

/** Throws with what is wrong as soon as anything is. */
export async function killAgainAndAgain(times: number, options: LoopOptions): Promise<Tally> {
  const tally: Tally = { kills: new Map(), missed: new Set(), acknowledged: 0, checks: 0 }
  for (let round = 0; round < times; round++) await killOnce(round, options, tally)
  await finish(options, tally)
  return tally
}

async function killOnce(round: number, options: LoopOptions, tally: Tally): Promise<void> {
  const { points, random, anyMomentEvery = 8, maxNth = 6, lanes = usualLanes, onLine } = options
  const { roundMs = usualRoundMs, hangs = false } = options
  const isAnyMoment = round % anyMomentEvery === 0
  const turn = round - Math.ceil(round / anyMomentEvery)
  const point = points[turn % points.length] as KillPoint
  const nth = tally.missed.has(point) ? 1 : 1 + Math.floor(random() * maxNth)
  const fault = /:\d+$/.test(point) ? point : `${point}:${nth}`
  const server =
    round === 0 && options.server !== undefined
      ? options.server
      : await startAgain(
          options,
          isAnyMoment ? null : point,
          isAnyMoment ? {} : asTest(hangs ? `hang=${fault}` : fault),
        )
  if (server === null) return count(tally, point)
  let isGone = false
  const ended = server.ended.then(output => {
    isGone = true
    return output
  })
  const call = createClient(server.origin, options.key)
  const verdict = await check(call, options.database.read, options)
  if (verdict.kind === 'checked') {
    tally.checks += 1
    if (verdict.faults.length > 0) {
      await server.kill()
      const said = (await ended).slice(-maxSaid)
      throw new Error(
        `Round ${round + 1}, after a kill: ${verdict.faults.join('\n')}\nThe server said: ${said}`,
      )
    }
    const overAtMs = performance.now() + roundMs
    const changes = isAnyMoment ? 1 + Math.floor(random() * mostChanges) : Number.POSITIVE_INFINITY
    const isOver = (acknowledged = 0) => isGone || acknowledged >= changes || performance.now() > overAtMs
    tally.acknowledged += await drive(call, options.book, {
      random,
      lanes,
      errands: options.errands,
      isOver,
    })
    // Jobs of the last requests may reach the point when the requests have ended.
    if (isAnyMoment) await sleep(random() * longestMomentMs)
    else while (!isOver()) await sleep(20)
  }
  const wasGone = isGone
  await server.kill()
  const output = await ended
  const isReached = output.includes('fault point reached')
  if (hangs && isReached && !output.includes('The server is ended, since its main thread is blocked'))
    throw new Error(`No watcher ended the server in round ${round}: ${output}`)
  if (wasGone && !isReached) throw new Error(`The server ended by itself in round ${round}: ${output}`)
  count(tally, isReached ? point : 'any moment')
  if (!isReached && !isAnyMoment) tally.missed.add(point)
  onLine?.(
    `${round + 1}: ${isReached ? fault : `any moment${isAnyMoment ? '' : ` (${fault} was not passed)`}`}`,
  )
}

/** Every point that a server passes while it is driven for `ms` with each of the settings. */
export async function findPoints(
  { installation, key, book, errands, random, lanes = usualLanes }: Omit<LoopOptions, 'points'>,
  settings: readonly Record<string, string>[],
  ms: number,
): Promise<FaultPoint[]> {
  const points = new Set<FaultPoint>()
  for (const each of settings) {
    const server = await installation.startServer({ ...each, ...asTest('tell') })
    const overAtMs = performance.now() + ms
    const isOver = () => performance.now() > overAtMs
    await drive(createClient(server.origin, key), book, { random, lanes, errands, isOver })
    await server.stop()
    for (const [, point] of (await server.ended).matchAll(/fault point passed: (.+)$/gm))
      points.add(point as FaultPoint)
  }
  return [...points].sort()
}

/** A last look, at a server that is not killed. */
async function finish(options: LoopOptions, tally: Tally): Promise<void> {
  const { database, key, errands } = options
  const server = await startAgain(options, null)
  if (server === null) throw new Error('A server that was not killed ended')
  const call = createClient(server.origin, key)
  for (const errand of errands) await errand.run(call)
  const verdict = await check(call, database.read, options)
  await server.stop()
  if (verdict.kind === 'interrupted') throw new Error(`The server ended by itself: ${await server.ended}`)
  tally.checks += 1
  if (verdict.faults.length > 0) throw new Error(`At the end: ${verdict.faults.join('\n')}`)
}

/** Null if it was killed before it listened: what was left to do has reached the point. */
async function startAgain(
  { installation, database, settingsFor, hangs }: LoopOptions,
  point: KillPoint | null,
  fault: Record<string, string> = {},
): Promise<RunningServer | null> {
  const settings = { ...settingsFor(point), ...fault }
  await expireLeases(database)
  try {
    return await installation.startServer(settings, hangs ? { watchTimes } : undefined)
  } catch (error) {
    if (String(error).includes('fault point reached')) return null
    throw error
  }
}

/** A busy machine collects garbage for longer than a tick. */
const watchTimes = { tickMs: 100, saysAfterMs: 1_000, endsAfterMs: 4_000 }

const asTest = (fault: string) => ({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: fault })

const count = ({ kills }: Tally, what: KillPoint | 'any moment'): void => {
  kills.set(what, (kills.get(what) ?? 0) + 1)
}
