/** Runs that are followed: how soon the first word comes, and what many streams at once cost while they are open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readEvents } from '../../sdk/src/run-events.ts'
import { createCall } from '../call.ts'
import { eachAtOnce, median } from '../load.ts'
import { startModel } from '../model.ts'
import { type AtriumUnderTest, startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const firstWordMustMs = 10
const firstWords = 300
const openStreams = 200
const growthMustMb = 50

type Opened = { body: ReadableStream<Uint8Array> }
type Setting = { atrium: AtriumUnderTest; modelUrl: string; open: (prompt: string) => Promise<Opened> }

export async function withSetting<Result>(work: (setting: Setting) => Promise<Result>): Promise<Result> {
  await using model = await startModel()
  await using atrium = await startAtrium({
    settings: { OPENAI_BASE_URL: model.baseUrl, ATRIUM_DEFAULT_MODEL: 'openai/test-model' },
  })
  const key = await atrium.createKey('live')
  const call = createCall(atrium.url, key)
  const { data } = await call('POST', '/agents', { json: { name: 'Measured', instructions: 'Be brief.' } })
  const { id } = data as { id: string }
  const url = `${atrium.url}/api/v1/agents/${id}/run`
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const limits = { timeoutSeconds: 600 }
  return await work({
    atrium,
    modelUrl: `${model.baseUrl}/chat/completions`,
    open: prompt => post(url, { prompt, limits }, headers),
  })
}

/** From the request to the first word of a stream, over what the model itself takes to its first. */
export const measureFirstWord = (): Promise<Row[]> =>
  withSetting(async ({ open, modelUrl }) => {
    const ours = () => firstOf(open('Hello'), ({ event }) => event === 'text.delta')
    const messages = [{ role: 'user', content: 'Hello' }]
    const bare = () =>
      firstOf(post(modelUrl, { model: 'test-model', messages, stream: true }, {}), ({ data }) =>
        data.includes('"content"'),
      )
    const times = { ours: [] as number[], bare: [] as number[] }
    for (const work of [ours, bare]) await eachAtOnce(Array(50).fill(0), 4, work)
    for (let round = 0; round < 3; round++) {
      times.ours.push(...(await eachAtOnce(Array(firstWords).fill(0), 1, ours)))
      times.bare.push(...(await eachAtOnce(Array(firstWords).fill(0), 1, bare)))
    }
    const overMs = median(times.ours) - median(times.bare)
    return [
      row(
        'First word of a stream, after the model’s first',
        `${rounded(overMs, 1)} ms`,
        `≤ ${firstWordMustMs} ms at the median`,
        overMs <= firstWordMustMs,
        `the model itself ${rounded(median(times.bare), 1)} ms`,
      ),
    ]
  })

export const measureStreams = ({ minutes }: { minutes: number }): Promise<Row[]> =>
  withSetting(async setting => {
    const restMb = await setting.atrium.residentMb()
    const seconds = minutes * 60
    const { beforeMb, growthMb, eventsPerSecond, processorShare, ended } = await holdStreams(setting, {
      count: openStreams,
      seconds,
      settleSeconds: seconds / 20,
    })
    return [
      row(
        `${openStreams} streams open for ${seconds} s`,
        `${rounded(growthMb)} MB more once open (${rounded(restMb)} → ${rounded(beforeMb)} → ${rounded(beforeMb + growthMb)}), ${rounded(eventsPerSecond)} events/s with ${rounded(processorShare * 100)} % of a processor, ${ended} ended well`,
        `≤ ${growthMustMb} MB more, all end well`,
        growthMb <= growthMustMb && ended === openStreams,
      ),
    ]
  })

export type OpenStreams = {
  beforeMb: number
  growthMb: number
  eventsPerSecond: number
  processorShare: number
  /** Streams that ended with a run that succeeded. */
  ended: number
}

/** Each stream is held open by one run; memory is taken after the streams are open and before they end. */
export async function holdStreams(
  { atrium, open }: Setting,
  { count, seconds, settleSeconds }: { count: number; seconds: number; settleSeconds: number },
): Promise<OpenStreams> {
  const counted = { events: 0, ended: 0 }
  const streams = Array.from({ length: count }, async () => {
    const { body } = await open(`Write for ${seconds - 2 * settleSeconds} seconds`)
    for await (const { event } of readEvents(body)) {
      counted.events++
      if (event === 'run.succeeded') counted.ended++
    }
  })
  const look = async () => ({
    atMs: performance.now(),
    mb: await atrium.residentMb(),
    cpuSeconds: await atrium.cpuSeconds(),
    events: counted.events,
  })
  await sleep(settleSeconds * 1000)
  const before = await look()
  await sleep(seconds * 1000 - 3.3 * settleSeconds * 1000)
  const after = await look()
  await Promise.all(streams)
  const passedSeconds = (after.atMs - before.atMs) / 1000
  return {
    beforeMb: before.mb,
    growthMb: after.mb - before.mb,
    eventsPerSecond: (after.events - before.events) / passedSeconds,
    processorShare: (after.cpuSeconds - before.cpuSeconds) / passedSeconds,
    ended: counted.ended,
  }
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<Opened> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok || reply.body === null) throw new Error(`${url} answered ${reply.status}`)
  return { body: reply.body }
}

/** Resolves with the first event that fits; the rest is read by the time the next one is asked for. */
async function firstOf(
  opened: Promise<Opened>,
  fits: (event: { event: string; data: string }) => boolean,
): Promise<void> {
  const events = readEvents((await opened).body)
  for (;;) {
    const next = await events.next()
    if (next.done) throw new Error('The stream ended without a word')
    if (fits(next.value)) break
  }
  void drain(events)
}

async function drain(events: AsyncGenerator<unknown>): Promise<void> {
  while (!(await events.next()).done);
}
