/**
 * The thread that watches the main thread: names the work that blocks it, and in the end ends the process. It reads
 * shared memory and needs nothing from the main thread.
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { createLog } from '../log.ts'
import { type Sighting, sightCulprit } from './culprit.ts'
import { watchMainThread } from './main-thread.ts'
import { places, type WatchData } from './signs.ts'
import { type Block, createWatchFiles, type NamedWork, type Verdict } from './watch-files.ts'
import { readWorks, type Work } from './works.ts'

const data = workerData as WatchData
const { times, heapLimitBytes } = data
const signs = new Int32Array(data.signs)
const files = createWatchFiles(data.dataDir, data.name)
const log = createLog({ level: data.logLevel, write: writeLine })

/** Of the heap's limit. Below the second share the danger is over. */
const lowMemoryShare = 0.85
const enoughMemoryShare = 0.75
/** A shorter silence may be a collection of garbage. */
const silenceMs = 500

/** A silence of the main thread. */
type Silence = { blockedMs: number; workedMs: number; sighting: Sighting | null; isLogged: boolean }

async function watch(): Promise<never> {
  const mainThread = watchMainThread(times.tickMs)
  let lastSign = -1
  let isSilent = false
  let silence: Silence = newSilence()
  let lowMemory = ''
  for (;;) {
    await sleep(times.tickMs)
    const sign = Atomics.load(signs, places.signs)
    if (sign !== lastSign) {
      if (silence.isLogged) log.warn('The server answers again', { blockedMs: Math.round(silence.blockedMs) })
      lastSign = sign
      if (isSilent) silence = newSilence()
      isSilent = false
    } else if (!isSilent) {
      isSilent = true
      mainThread.begin()
    } else if (Atomics.load(signs, places.isDebugged) === 0) {
      // A person who debugs the server stops it for as long as it pleases.
      const { blockedMs, workedMs } = mainThread.measure()
      silence.blockedMs += blockedMs
      silence.workedMs += workedMs
    }
    lowMemory = await lookAtMemory(lowMemory, silence)
    if (silence.blockedMs >= times.saysAfterMs && !silence.isLogged) {
      silence.isLogged = true
      silence.sighting = await sightCulprit()
      report(silence, false)
    }
    if (silence.blockedMs >= times.endsAfterMs) {
      silence.sighting = (await sightCulprit()) ?? silence.sighting
      // The question itself may have been answered by a thread that goes on.
      await sleep(times.tickMs)
      if (Atomics.load(signs, places.signs) !== sign) continue
      await end(silence)
    }
  }
}

const newSilence = (): Silence => ({ blockedMs: 0, workedMs: 0, sighting: null, isLogged: false })

async function end(silence: Silence): Promise<void> {
  const verdicts = verdictsOn(silence)
  report(silence, true)
  try {
    await record(verdicts)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}

function report({ blockedMs, sighting }: Silence, isEnd: boolean): void {
  const { works, unlisted } = readWorks(data.works)
  const block: Block = {
    at: new Date().toISOString(),
    blockedMs: Math.round(blockedMs),
    work: sighting === null || sighting.work === null ? null : named(sighting.work),
    among: sighting === null ? works.map(named) : [],
    calls: sighting?.calls ?? [],
    isEnd,
  }
  const message = isEnd
    ? 'The server is ended, since its main thread is blocked'
    : 'The main thread is blocked'
  const { at: _at, isEnd: _isEnd, among, ...rest } = block
  log.error(message, {
    ...rest,
    among: sighting === null ? among : undefined,
    unlisted: unlisted || undefined,
  })
  attempt(() => files.addBlock(block))
}

const named = (work: Work): NamedWork => ({
  kind: work.kind,
  id: work.id,
  name: work.kind === 'job' ? work.queue : work.operationId,
})

/**
 * The work that is known to block the main thread is at fault, and no other. Within native code only one work can be
 * known: the only one that there is, if the thread used a processor and did not wait for something outside.
 */
function verdictsOn({ blockedMs, workedMs, sighting }: Silence): Verdict[] {
  const { works, unlisted } = readWorks(data.works)
  const isSleeping = workedMs < blockedMs / 2
  const only = works.length === 1 && unlisted === 0 && !isSleeping ? (works[0] ?? null) : null
  const culprit: Work | null = sighting === null ? only : sighting.work
  if (culprit === null) return []
  return works.flatMap((work): Verdict[] =>
    work.kind === 'request'
      ? []
      : [{ id: work.id, token: work.token, cause: work.id === culprit.id ? 'blocked' : 'innocent' }],
  )
}

/** In the database, or else in a file that the next start reads. */
async function record(verdicts: readonly Verdict[]): Promise<void> {
  if (verdicts.length === 0) return
  if (data.databaseUrl !== null) {
    try {
      const { writeVerdicts } = await import('./verdicts-by-thread.ts')
      return await writeVerdicts(data.databaseUrl, verdicts)
    } catch (error) {
      log.warn('Why the server ends could not be written into the database', { error })
    }
  }
  attempt(() => files.writeVerdicts(verdicts))
}

/**
 * Keeps a file of what runs while memory is short: V8 ends the process without another word. Returns what the file
 * holds.
 */
async function lookAtMemory(written: string, { blockedMs }: Silence): Promise<string> {
  const isSilent = blockedMs >= silenceMs
  // A silent main thread tells nothing. All memory of the process is an upper bound of its heap.
  const share = isSilent
    ? process.memoryUsage.rss() / heapLimitBytes
    : Atomics.load(signs, places.heapPercent) / 100
  if (share < lowMemoryShare && (written === '' || share > enoughMemoryShare)) return written
  if (share < lowMemoryShare) {
    attempt(() => files.removeLowMemory())
    return ''
  }
  const sighting = isSilent ? await sightCulprit() : null
  const works = sighting?.work ? [sighting.work] : readWorks(data.works).works
  const text = JSON.stringify(works)
  if (text !== written) attempt(() => files.writeLowMemory(works))
  return text
}

/** The disk may be full, and the watch goes on. */
function attempt(write: () => void): void {
  try {
    write()
  } catch (error) {
    log.warn('A file of the watcher could not be written', { error })
  }
}

/** `console` and `process.stderr` of a thread need the main thread. */
function writeLine(line: string): void {
  try {
    writeSync(2, line)
  } catch {
    // Nothing reads the log fast enough. The file of the last blocks has the same.
  }
}

await watch()
