/** A round of the kill loop that is short enough for every run of the tests; `npm run soak` goes through all points for long. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Engine } from '../../platform/database/database.ts'
import type { Subject } from './errands.ts'
import { type KillPoint, killAgainAndAgain, type Tally } from './rounds.ts'
import { prepare, sweepFiles } from './setup.ts'

export type ShortRound = {
  engine: Engine
  points: readonly KillPoint[]
  subjects: readonly Subject[]
  bookSize?: number
  /** At each point the server blocks for ever, and its watcher ends it. */
  hangs?: boolean
}

/** Longer than any machine needs: whether a point is reached must not depend on how busy it is. */
const roundMs = 240_000

/**
 * Kills a server once after changes that it has acknowledged, and at the first passing of each point; fails where anything
 * is lost, half-done, doubled or left over.
 */
export async function killOnceAtEach(
  t: TestContext,
  { engine, points, hangs, ...options }: ShortRound,
): Promise<Tally> {
  const prepared = await prepare(t, engine, options)
  const tally = await killAgainAndAgain(points.length + 1, {
    ...prepared,
    points,
    hangs,
    anyMomentEvery: points.length + 1,
    roundMs,
    maxNth: 1,
    random: Math.random,
  })
  const missed = points.filter(point => !tally.kills.has(point))
  assert.deepEqual(missed, [], 'points that the server never reached')
  assert.ok(tally.acknowledged > 0, 'a server that acknowledges nothing has nothing to lose')
  assert.deepEqual((await sweepFiles(prepared)).faults, [])
  return tally
}
