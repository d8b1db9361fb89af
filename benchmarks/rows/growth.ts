/** Whether lists, runs and uploads cost the same however many rows there are. */
import { type Call, createCall, createCollection, uploadUntilReady } from '../call.ts'
import { eachAtOnce, median } from '../load.ts'
import { type AtriumUnderTest, startAtrium } from '../process.ts'
import { seedRows } from '../seed.ts'
import { type Row, rounded, row } from '../table.ts'

const fewRows = 1_000
const samples = 100
const warmUp = 20
/** Costs that do not grow, with some room for the noise of a machine. */
const flatFactor = 1.5

export const measureGrowth = (): Promise<Row[]> => measureGrowthTo(100_000)

export const measureGrowthToMillion = (): Promise<Row[]> => measureGrowthTo(1_000_000)

async function measureGrowthTo(manyRows: number): Promise<Row[]> {
  await using atrium = await startAtrium()
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const { data } = await call('POST', '/agents', { json: { name: 'Measured', model: 'extractive' } })
  const { id: agentId } = data as { id: string }
  const collectionId = await createCollection(call, 'Measured')
  const work = workOn(call, agentId, collectionId)
  for (const once of Object.values(work)) await once(0)

  const few = await timesWith(atrium, work, { agentId, collectionId }, fewRows)
  const many = await timesWith(atrium, work, { agentId, collectionId }, manyRows)
  return Object.keys(work).map(name => {
    const [fewMs = 0, manyMs = 0] = [few.get(name), many.get(name)]
    return row(
      `${name}: ${rounded(fewRows)} → ${rounded(manyRows)} rows`,
      `${rounded(fewMs, 1)} → ${rounded(manyMs, 1)} ms at the median`,
      'flat',
      manyMs <= fewMs * flatFactor + 0.5,
    )
  })
}

type Work = Record<string, (index: number) => Promise<unknown>>

const workOn = (call: Call, agentId: string, collectionId: string): Work => ({
  'GET /agents/:id/runs': () => call('GET', `/agents/${agentId}/runs`),
  'GET /knowledge/documents': () => call('GET', '/knowledge/documents'),
  'GET /audit-log': () => call('GET', '/audit-log'),
  'POST /agents/:id/run': () => call('POST', `/agents/${agentId}/run`, { json: { prompt: 'Hello there' } }),
  'POST /knowledge/documents': index =>
    uploadUntilReady(call, collectionId, { name: `note ${index}.txt`, content: `A note, number ${index}.` }),
})

async function timesWith(
  atrium: AtriumUnderTest,
  work: Work,
  ids: { agentId: string; collectionId: string },
  rows: number,
): Promise<Map<string, number>> {
  seedRows(atrium.dataDir, ids, rows)
  const medians = new Map<string, number>()
  for (const [name, once] of Object.entries(work)) {
    await eachAtOnce(Array(warmUp).fill(0), 1, (_, index) => once(index).then(() => undefined))
    const times = await eachAtOnce(Array(samples).fill(0), 1, (_, index) => once(index).then(() => undefined))
    medians.set(name, median(times))
  }
  return medians
}
