/** Reads as clients ask for them most: per second of the server's processor time, beside bare servers of the same run. */
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from '../../server/src/features/agents/definitions/agent-schemas.ts'
import { listEnvelopeOf } from '../../server/src/http/envelope.ts'
import { Type } from '../../server/src/platform/json-schema/type.ts'
import { type Call, createCall, createCollection, uploadUntilReady } from '../call.ts'
import { loadPerCpuSecond, median, spread } from '../load.ts'
import { type Measured, startAtrium, startFloor } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const repeats = 5
const seconds = 3
const agentCount = 6
const listed = 20
const mustShare = 0.3
/** How many times the processor time of `/healthz` a read may take. */
const mustTake = { agent: 2, documents: 3, runs: 3 }

type Read = { server: Measured; path: string }
type Reads = Record<'floor' | 'health' | 'agents' | 'agent' | 'documents' | 'runs', Read>

export async function measureReads(): Promise<Row[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atrium-bench-'))
  const replyFile = join(folder.path, 'reply.json')
  await using atrium = await startAtrium({ settings: { ATRIUM_VISITOR_RATE: '10000000' } })
  const key = await atrium.createKey('live')
  const headers = { authorization: `Bearer ${key}` }
  const agentId = await fill(createCall(atrium.url, key))
  const reply = await fetch(`${atrium.url}/api/v1/agents`, { headers })
  const text = await reply.text()
  await writeFile(
    replyFile,
    JSON.stringify({ schema: listEnvelopeOf(Type.Array(Agent)), value: JSON.parse(text) }),
  )
  await using bare = await startFloor('reply.ts', { REPLY_FILE: replyFile })
  const api = (path: string): Read => ({ server: atrium, path: `/api/v1${path}` })
  const reads: Reads = {
    floor: { server: bare, path: '/' },
    health: { server: atrium, path: '/healthz' },
    agents: api('/agents'),
    agent: api(`/agents/${agentId}`),
    documents: api(`/knowledge/documents?pageSize=${listed}`),
    runs: api(`/agents/${agentId}/runs?pageSize=${listed}`),
  }
  return rowsOf(await measureInTurn(reads, headers), Buffer.byteLength(text))
}

/** What there is to read; answers the id of the agent whose runs are. */
async function fill(call: Call): Promise<string> {
  const { data, meta } = await call('GET', '/agents')
  const ids = (data as { id: string }[]).map(({ id }) => id)
  for (let made = meta?.total ?? 0; made < agentCount; made++) {
    const json = { name: `Agent ${made}`, model: 'extractive', instructions: 'Answer briefly and kindly.' }
    ids.unshift(((await call('POST', '/agents', { json })).data as { id: string }).id)
  }
  const collectionId = await createCollection(call, 'Read')
  const [agentId = ''] = ids
  for (let made = 0; made < listed; made++) {
    const content = `Note ${made}: the office is closed between the years.`
    await uploadUntilReady(call, collectionId, { name: `note ${made}.txt`, content })
    await call('POST', `/agents/${agentId}/run`, { json: { prompt: 'When is the office closed?' } })
  }
  return agentId
}

type Figures = Record<keyof Reads, number[]>

/** Requests per second of processor time. In turn, so that what else the machine does falls on all of them. */
async function measureInTurn(reads: Reads, headers: Record<string, string>): Promise<Figures> {
  const figures: Figures = { floor: [], health: [], agents: [], agent: [], documents: [], runs: [] }
  for (let round = -1; round < repeats; round++) {
    for (const [name, { server, path }] of Object.entries(reads)) {
      const perSecond = await loadPerCpuSecond(server, path, { seconds, headers })
      // The first round warms up.
      if (round >= 0) figures[name as keyof Reads].push(perSecond)
    }
  }
  return figures
}

function rowsOf(figures: Figures, bytes: number): Row[] {
  const shares = figures.agents.map((value, round) => value / (figures.floor[round] ?? Number.NaN))
  const share = median(shares)
  const times = (name: keyof typeof mustTake, what: string): Row => {
    const taken = figures.health.map((health, round) => health / (figures[name][round] ?? Number.NaN))
    const figure = `${rounded(median(figures[name]))} per second of processor time, ${spread(taken, 1)} times as long`
    const must = mustTake[name]
    const floor = `\`/healthz\` ${rounded(median(figures.health))}`
    return row(what, figure, `≤ ${must} times as long`, median(taken) <= must, floor)
  }
  return [
    row(
      `GET /agents, ${agentCount} agents, ${rounded(bytes / 1000, 1)} KB`,
      `${rounded(median(figures.agents))} per second of processor time, ${spread(
        shares.map(value => value * 100),
        1,
      )} % of the floor`,
      `≥ ${mustShare * 100} % of the floor`,
      share >= mustShare,
      `the same reply from memory by Fastify and the schema ${rounded(median(figures.floor))}`,
    ),
    times('agent', 'GET /agents/:id'),
    times('documents', `GET /knowledge/documents, ${listed} of them`),
    times('runs', `GET /agents/:id/runs, ${listed} of them`),
  ]
}
