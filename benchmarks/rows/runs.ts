/** What a run costs over the call of its model: time for one client, processor time for many. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCall } from '../call.ts'
import { eachAtOnce, median, spread } from '../load.ts'
import { startModel } from '../model.ts'
import { type Measured, startAtrium, startFloor } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const repeats = 3
const warmUp = 200
const alone = 200
const together = 1_500
const connections = 10
const prompt = 'How many days of leave do I have?'
const overheadMustMs = 5
const shareMust = 20

export async function measureRuns(): Promise<Row[]> {
  await using model = await startModel()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atrium-bench-'))
  await using atrium = await startAtrium({
    settings: { OPENAI_BASE_URL: model.baseUrl, ATRIUM_DEFAULT_MODEL: 'openai/test-model' },
  })
  await using bare = await startFloor('run.ts', {
    MODEL_URL: model.baseUrl,
    DATABASE_FILE: join(folder.path, 'floor.db'),
  })
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const { data } = await call('POST', '/agents', { json: { name: 'Measured', instructions: 'Be brief.' } })
  const { id } = data as { id: string }
  const run = async (): Promise<void> => {
    const { data: ended } = await call('POST', `/agents/${id}/run`, { json: { prompt } })
    if ((ended as { status: string }).status !== 'succeeded') throw new Error(JSON.stringify(ended))
  }
  const direct = () => post(`${model.baseUrl}/chat/completions`, { model: 'test-model', messages: [] })
  const floor = () => post(bare.url, { prompt })
  for (const work of [run, direct, floor]) await eachAtOnce(Array(warmUp).fill(0), connections, work)

  const rounds = []
  for (let i = 0; i < repeats; i++) {
    rounds.push({
      runMs: median(await eachAtOnce(Array(alone).fill(0), 1, run)),
      directMs: median(await eachAtOnce(Array(alone).fill(0), 1, direct)),
      floorMs: median(await eachAtOnce(Array(alone).fill(0), 1, floor)),
      run: await perCpuSecond(atrium, run),
      floor: await perCpuSecond(bare, floor),
    })
  }
  return rowsOf(rounds)
}

type Throughput = { perCpuSecond: number; perSecond: number }
type Round = { runMs: number; directMs: number; floorMs: number; run: Throughput; floor: Throughput }

function rowsOf(rounds: readonly Round[]): Row[] {
  const of = (value: (round: Round) => number): number => median(rounds.map(value))
  const overheadMs = of(({ runMs, directMs }) => runMs - directMs)
  const perCpu = rounds.map(({ run }) => run.perCpuSecond)
  const shares = rounds.map(({ run, floor }) => (run.perCpuSecond / floor.perCpuSecond) * 100)
  return [
    row(
      'A run, 1 connection, over the call of its model',
      `${rounded(overheadMs, 1)} ms`,
      `≤ ${overheadMustMs} ms at the median`,
      overheadMs <= overheadMustMs,
      `one call and three inserts ${rounded(
        of(({ floorMs, directMs }) => floorMs - directMs),
        1,
      )} ms`,
    ),
    row(
      `Runs, ${connections} connections`,
      `${spread(perCpu)} per second of the server's processor time, ${spread(shares)} % of the floor (${rounded(of(({ run }) => run.perSecond))}/s)`,
      `≥ ${shareMust} % of the floor`,
      median(shares) >= shareMust,
      `one call and three inserts ${rounded(of(({ floor }) => floor.perCpuSecond))} (${rounded(of(({ floor }) => floor.perSecond))}/s)`,
    ),
  ]
}

async function perCpuSecond(server: Measured, work: () => Promise<void>): Promise<Throughput> {
  const cpuBefore = await server.cpuSeconds()
  const startedAt = performance.now()
  await eachAtOnce(Array(together).fill(0), connections, work)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    perCpuSecond: together / ((await server.cpuSeconds()) - cpuBefore),
    perSecond: together / seconds,
  }
}

async function post(url: string, body: unknown): Promise<void> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
}
