/** How long a start takes, and what the process holds once it has nothing to do. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, spread } from '../load.ts'
import { startAtrium, startFloor } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const repeats = 3
const restMs = 20_000
/** How many times as long as a bare server. */
const mustTimes = 3
const memoryMustMb = 150

export async function measureStart(): Promise<Row[]> {
  const fresh: number[] = []
  const present: number[] = []
  const floor: number[] = []
  for (let i = 0; i < repeats; i++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
    for (const times of [fresh, present]) {
      const atrium = await startAtrium({ dataDir })
      times.push(atrium.startMs)
      await atrium.stop()
    }
    await rm(dataDir, { recursive: true })
    const startedAt = performance.now()
    const bare = await startFloor('hello.ts')
    floor.push(performance.now() - startedAt)
    await bare.stop()
  }
  const rowOf = (what: string, times: readonly number[]): Row => {
    const taken = times.map((time, round) => time / (floor[round] ?? Number.NaN))
    const figure = `${ms(times)}, ${spread(taken, 1)} times as long`
    const reached = median(taken) <= mustTimes
    return row(what, figure, `≤ ${mustTimes} times as long`, reached, `bare Fastify ${ms(floor)}`)
  }
  return [rowOf('Start, fresh folder', fresh), rowOf('Start, folder present', present)]
}

export async function measureMemory(): Promise<Row[]> {
  const atrium = await startAtrium()
  const bare = await startFloor('hello.ts')
  // The first start indexes its demo documents, and V8 gives back some seconds later what a start leaves behind.
  await sleep(restMs)
  const used = await atrium.residentMb()
  const floor = await bare.residentMb()
  await Promise.all([atrium.stop(), bare.stop()])
  const mustReach = `≤ ${memoryMustMb} MB`
  return [
    row(
      `Memory at rest, ${restMs / 1000} s after the start`,
      `${rounded(used)} MB`,
      mustReach,
      used <= memoryMustMb,
      `bare Fastify ${rounded(floor)} MB`,
    ),
  ]
}

const ms = (times: readonly number[]): string => `${spread(times)} ms`
