/** The process that reads files: it holds no secrets, watches itself, and may be killed at any moment. */
import { stat } from 'node:fs/promises'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Chunk, chunksOf, codePointLength } from '../chunking.ts'
import { ParseFailure } from '../failure.ts'
import { parseFile } from '../parse-file.ts'
import type { Drawing, FromChild, RenderedPage, ToChild, ToParse, WatchData } from './child-process.ts'

const chunksAtOnce = 64
const progressEveryMs = 300

/** Resident memory at which the child kills itself: every reader goes through its file piece by piece. */
const limitBytes = 280 * 1024 * 1024

/** The processor time at which the child is killed: a small file that takes long was made to do so. */
const until = new Float64Array(new SharedArrayBuffer(8)).fill(Number.POSITIVE_INFINITY)
const watchData: WatchData = { limitBytes, parentId: process.ppid, until }
new Worker(new URL('./watch.ts', import.meta.url), { workerData: watchData }).unref()

let chunks: Generator<Chunk> | null = null
let pages: AsyncGenerator<RenderedPage> | null = null

// A service manager and a terminal send these to every process of the server. The server lets its documents end, so
// this process ends with its channel to the server.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: ToChild) => {
  if (message.type === 'parse') parse(message).catch(sendFailure)
  else if (message.type === 'render') render(message.path).catch(sendFailure)
  else if (message.type === 'draw') draw(message).catch(sendFailure)
  else if (message.type === 'next' && pages !== null) sendPage(pages).catch(sendFailure)
  else sendChunks()
})
send({ type: 'ready' })

async function parse({ path, name, processorMs, isFinal, maxInnerFiles }: ToParse): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  const allowedMs = processorMs * (1 + size / 1_048_576)
  const endMs = processorTimeMs() + allowedMs
  until[0] = endMs
  let lastProgressMs = performance.now()
  const document = await parseFile(path, name, {
    isLate: () => processorTimeMs() > endMs - allowedMs / 4,
    isFinal,
    maxInnerFiles,
    onInnerFile: count => send({ type: 'inner-file', count }),
    onProgress: share => {
      if (performance.now() - lastProgressMs < progressEveryMs) return
      lastProgressMs = performance.now()
      send({ type: 'progress', share })
    },
  })
  const { title, pageCount, warnings, text } = document
  chunks = chunksOf(document)
  send({ type: 'parsed', title, pageCount, warnings, textLength: codePointLength(text) })
}

function processorTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function sendChunks(): void {
  const some: Chunk[] = []
  while (some.length < chunksAtOnce) {
    const chunk = chunks?.next().value
    if (chunk === undefined) break
    some.push(chunk)
  }
  if (some.length > 0) {
    send({ type: 'chunks', chunks: some })
  } else {
    chunks = null
    send({ type: 'end', residentBytes: process.memoryUsage.rss() })
  }
}

async function render(path: string): Promise<void> {
  until[0] = Number.POSITIVE_INFINITY
  const { renderPages } = await import('../pdf/render.ts')
  pages = renderPages(path)
  await sendPage(pages)
}

async function draw({ path, page, longest, processorMs }: Drawing): Promise<void> {
  until[0] = processorTimeMs() + processorMs
  const { drawPage } = await import('../pdf/render.ts')
  send({ type: 'page', ...(await drawPage(path, page, longest)) })
  send({ type: 'end', residentBytes: process.memoryUsage.rss() })
}

async function sendPage(from: AsyncGenerator<RenderedPage>): Promise<void> {
  const { value, done } = await from.next()
  if (done !== true) return send({ type: 'page', ...value })
  pages = null
  send({ type: 'end', residentBytes: process.memoryUsage.rss() })
}

function sendFailure(error: unknown): void {
  pages = null
  const detail = inspect(error)
  // A failed system call, such as for lack of file handles, says nothing about the file.
  if (error instanceof Error && 'syscall' in error) {
    send({ type: 'broken', detail })
  } else {
    const { code, message } = error instanceof ParseFailure ? error : new ParseFailure('parser_crashed')
    send({ type: 'failed', code, message, detail })
  }
}

function send(message: FromChild): void {
  process.send?.(message)
}
