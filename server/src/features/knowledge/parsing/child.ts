/** The process that reads files: it holds no secrets, watches itself, and may be killed at any moment. */
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Chunk, chunksOf, codePointLength } from './chunking.ts'
import { ParseFailure } from './failure.ts'
import type { FromChild, ToChild } from './messages.ts'
import { parseFile } from './parse-file.ts'
import type { Format } from './sniff.ts'

const chunksAtOnce = 64
const progressEveryMs = 300
const megabyte = 1024 * 1024

/** Resident memory at which the child kills itself. PDFium needs little, whatever the length; a DOCX is a tree in memory. */
const limitBytes = (format: Format): number => (format === 'pdf' ? 272 : 448) * megabyte

const limit = new BigInt64Array(new SharedArrayBuffer(8))
limit[0] = BigInt(limitBytes('text'))
new Worker(new URL('./watch.ts', import.meta.url), { workerData: { limit, parentId: process.ppid } }).unref()

let chunks: Generator<Chunk> | null = null

process.on('disconnect', () => process.exit())
process.on('message', (message: ToChild) => {
  if (message.type === 'next') sendChunks()
  else parse(message.path, message.name).catch(sendFailure)
})

async function parse(path: string, name: string): Promise<void> {
  let lastProgressMs = performance.now()
  const document = await parseFile(path, name, {
    onFormat: format => {
      limit[0] = BigInt(limitBytes(format))
    },
    onProgress: share => {
      if (performance.now() - lastProgressMs < progressEveryMs) return
      lastProgressMs = performance.now()
      send({ type: 'progress', share })
    },
  })
  const { title, pageCount, text } = document
  chunks = chunksOf(document)
  send({ type: 'parsed', title, pageCount, textLength: codePointLength(text) })
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

function sendFailure(error: unknown): void {
  const detail = inspect(error)
  // A call to the system that failed, such as for want of file handles, says nothing about the file.
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
