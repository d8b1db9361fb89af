/** The process that reads files: it holds no secrets, watches itself, and may be killed at any moment. */
import { stat } from 'node:fs/promises'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Chunk, chunksOf, codePointLength } from '../chunking.ts'
import { ParseFailure } from '../failure.ts'
import { maxRecognisedPages } from '../limits.ts'
import { parseFile } from '../parse-file.ts'
import type { Recognise } from '../reader.ts'
import type { ReadText } from '../recognition/tesseract.ts'
import type {
  Drawing,
  Finding,
  FromChild,
  Recognition,
  ToChild,
  ToParse,
  WatchData,
} from './child-process.ts'

const chunksAtOnce = 64
const progressEveryMs = 300

const megabyte = 1024 * 1024
/** Every reader goes through its file piece by piece. */
const usualBytes = 280 * megabyte
/** Tesseract holds a picture in several forms: eight bytes for each dot of a colour picture. */
const recognisingBytes = 700 * megabyte

/** The memory and the processor time at which the child is killed: a small file that takes long was made to do so. */
const limits = new Float64Array(new SharedArrayBuffer(16))
setLimits(Number.POSITIVE_INFINITY, usualBytes)
const watchData: WatchData = { parentId: process.ppid, limits }
new Worker(new URL('./watch.ts', import.meta.url), { workerData: watchData }).unref()

let chunks: Generator<Chunk> | null = null
let answer: ((text: string | null) => void) | null = null

// A service manager and a terminal send these to every process of the server. The server lets its documents end, so
// this process ends with its channel to the server.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: ToChild) => {
  if (message.type === 'parse') parse(message).catch(sendFailure)
  else if (message.type === 'draw') draw(message).catch(sendFailure)
  else if (message.type === 'find') find(message).catch(sendFailure)
  else if (message.type === 'recognised') answer?.(message.text)
  else sendChunks()
})
send({ type: 'ready' })

async function parse({
  path,
  name,
  processorMs,
  isFinal,
  maxInnerFiles,
  recognition,
}: ToParse): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  const allowedMs = processorMs * (1 + size / 1_048_576)
  const endMs = processorTimeMs() + allowedMs
  setLimits(endMs, recognition === null ? usualBytes : recognisingBytes)
  let lastProgressMs = performance.now()
  const document = await parseFile(path, name, {
    isLate: () => processorTimeMs() > endMs - allowedMs / 4,
    isFinal,
    maxInnerFiles,
    recognise: recognition === null ? null : await recogniser(recognition),
    onInnerFile: count => send({ type: 'inner-file', count }),
    onProgress: share => {
      if (performance.now() - lastProgressMs < progressEveryMs) return
      lastProgressMs = performance.now()
      send({ type: 'progress', share })
    },
  })
  const { title, pageCount, warnings, unreadPages, text } = document
  chunks = chunksOf(document)
  send({ type: 'parsed', title, pageCount, warnings, unreadPages, textLength: codePointLength(text) })
}

/** Begins no picture in the last quarter of the time, so that the text of the others is kept. */
async function recogniser({ languages, timeoutMs }: Recognition): Promise<Recognise> {
  const lastMs = performance.now() + (timeoutMs * 3) / 4
  const read = languages === null ? askServer : await ownReader(languages)
  let pictures = 0
  return async picture => {
    pictures += 1
    return performance.now() > lastMs || pictures > maxRecognisedPages ? null : await read(picture)
  }
}

let tesseract: { languages: string; read: ReadText } | null = null

async function ownReader(list: readonly string[]): Promise<Recognise> {
  const languages = list.join('+')
  if (tesseract?.languages !== languages) {
    const { openTesseract } = await import('../recognition/tesseract.ts')
    tesseract = { languages, read: await openTesseract(list) }
  }
  const { read } = tesseract
  return async picture => read(picture)
}

async function askServer(picture: Buffer): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  answer = resolve
  send({ type: 'picture', picture: picture.toString('base64') })
  return promise
}

function setLimits(processorMs: number, bytes: number): void {
  limits[0] = bytes
  limits[1] = processorMs
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

async function draw({ path, page, longest, processorMs }: Drawing): Promise<void> {
  setLimits(processorTimeMs() + processorMs, usualBytes)
  const { drawPage } = await import('../pdf/render.ts')
  send({ type: 'page', ...(await drawPage(path, page, longest)) })
  send({ type: 'end', residentBytes: process.memoryUsage.rss() })
}

async function find({ path, page, passage, processorMs }: Finding): Promise<void> {
  setLimits(processorTimeMs() + processorMs, usualBytes)
  const { findPassage } = await import('../pdf/boxes.ts')
  send({ type: 'found', ...(await findPassage(path, page, passage)) })
  send({ type: 'end', residentBytes: process.memoryUsage.rss() })
}

function sendFailure(error: unknown): void {
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
