/** Whether reading what was used costs the same however long the server has been in use. */
import { createCall } from '../call.ts'
import { eachAtOnce, median } from '../load.ts'
import { startAtrium } from '../process.ts'
import { seedUsage } from '../seed.ts'
import { type Row, rounded, row } from '../table.ts'

const fewDays = 30
const manyDays = 3_650
const samples = 100
const warmUp = 20
/** A cost that does not grow, with some room for the noise of a machine. */
const flatFactor = 1.5

const questions = {
  'GET /usage': '/usage',
  'GET /usage/history, 30 days': '/usage/history?pageSize=100',
  'the same by key and month': '/usage/history?groupBy=key&interval=month&pageSize=100',
}

export async function measureUsage(): Promise<Row[]> {
  await using atrium = await startAtrium()
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const timesWith = async (days: number): Promise<Map<string, number>> => {
    seedUsage(atrium.dataDir, days)
    const times = new Map<string, number>()
    for (const [name, path] of Object.entries(questions)) {
      const ask = () => call('GET', path)
      await eachAtOnce(Array(warmUp).fill(0), 1, ask)
      times.set(name, median(await eachAtOnce(Array(samples).fill(0), 1, ask)))
    }
    return times
  }
  const few = await timesWith(fewDays)
  const many = await timesWith(manyDays)
  return Object.keys(questions).map(name => {
    const [fewMs = 0, manyMs = 0] = [few.get(name), many.get(name)]
    return row(
      `${name}: ${rounded(fewDays)} → ${rounded(manyDays)} days of use`,
      `${rounded(fewMs, 1)} → ${rounded(manyMs, 1)} ms at the median`,
      'flat',
      manyMs <= fewMs * flatFactor + 0.5,
    )
  })
}
