/** A list as clients ask for it most, against a bare server that says hello. */
import { createCall } from '../call.ts'
import { load, median } from '../load.ts'
import { startAtrium, startFloor } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const repeats = 3
const seconds = 4
const connections = 64
const agentCount = 20
const mustShare = 0.45

export async function measureList(): Promise<Row[]> {
  const [atrium, hello] = await Promise.all([startAtrium(), startFloor('hello.ts')])
  try {
    const key = await atrium.createKey('live')
    const call = createCall(atrium.url, key)
    const { meta } = await call('GET', '/agents')
    for (let made = meta?.total ?? 0; made < agentCount; made++) {
      await call('POST', '/agents', { json: { name: `Agent ${made}`, instructions: 'Answer briefly.' } })
    }
    const headers = { authorization: `Bearer ${key}` }
    const address = `${atrium.url}/api/v1/agents`
    await Promise.all([
      load(address, { connections, seconds: 2, headers }),
      load(hello.url, { connections, seconds: 2 }),
    ])
    const rounds = []
    for (let i = 0; i < repeats; i++) {
      const floor = await load(hello.url, { connections, seconds })
      const list = await load(address, { connections, seconds, headers })
      if (list.failed > 0) throw new Error(`${list.failed} requests for the list failed`)
      rounds.push({ floor: floor.perSecond, list: list.perSecond, share: list.perSecond / floor.perSecond })
    }
    const share = median(rounds.map(round => round.share))
    const perSecond = median(rounds.map(round => round.list))
    return [
      row(
        `GET /agents, ${agentCount} rows, ${connections} connections`,
        `${rounded(perSecond)}/s, ${rounded(share * 100)} % of the floor`,
        `≥ ${mustShare * 100} % of the floor`,
        share >= mustShare,
        `hello ${rounded(median(rounds.map(round => round.floor)))}/s`,
      ),
    ]
  } finally {
    await Promise.all([atrium.stop(), hello.stop()])
  }
}
