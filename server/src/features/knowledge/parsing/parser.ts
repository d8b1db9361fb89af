/** Turns files into text and chunks: in child processes that may crash, hang or swell, and small texts on the spot. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { inspect } from 'node:util'
import type { Environment } from '../../../platform/caller.ts'
import type { ParsingChild } from './child-process.ts'
import { type Chunk, chunksOf, codePointLength } from './chunking.ts'
import { ParseFailure } from './failure.ts'
import type { FromChild } from './messages.ts'
import { parseSmallText, smallTextBytes } from './parse-file.ts'
import { createPool } from './pool.ts'
import type { ExtractedText } from './text-writer.ts'

export type ParsedDocument = {
  title: string | null
  pageCount: number | null
  /** In Unicode code points. */
  textLength: number
  /** Its chunks in their order, some at a time: they stay in the child until they are asked for. */
  chunks: AsyncIterable<Chunk[]>
}

export type ParseWork<Result> = {
  path: string
  /** The file's name: decides between kinds of text, and in the sandbox `sim-parse-failed.*` is not read. */
  name: string
  environment: Environment
  /** Ends the work, killing the child. */
  signal: AbortSignal
  /** Hears the share of reading that is done, from 0 to 1. */
  onProgress: (share: number) => void
  /** What to do with the document; a child is kept for it until this ends. */
  use: (document: ParsedDocument) => Promise<Result>
}

export type Parser = {
  /** Throws `ParseFailure` for what is the file's fault, and whatever `use` throws. */
  parse<Result>(work: ParseWork<Result>): Promise<Result>
  close(): void
}

export type ParserOptions = {
  /** For what children need on disk; made when the first one starts. Nobody else may write there. */
  folder: string
  maxChildren?: number
  /** The longest time for reading a file, and for each batch of its chunks. */
  timeoutMs?: number
  /** A child that has had nothing to do for so long is ended. */
  idleTimeoutMs?: number
}

const simulatedName = /^sim-parse-failed\./

/** A child that holds more than this when it is done is not used again. */
const maxRestingBytes = 150 * 1024 * 1024

export function createParser(options: ParserOptions): Parser {
  const { folder, maxChildren = 2, timeoutMs = 60_000, idleTimeoutMs = 30_000 } = options
  const pool = createPool(resolve(folder), maxChildren, idleTimeoutMs)

  const parseInChild = async <Result>(work: ParseWork<Result>): Promise<Result> => {
    const child = await pool.acquire(work.signal)
    const abort = (): void => child.kill(work.signal.reason)
    work.signal.addEventListener('abort', abort, { once: true })
    const conversation = converse(child, timeoutMs)
    try {
      return await work.use(await conversation.read(work))
    } finally {
      work.signal.removeEventListener('abort', abort)
      pool.release(child, conversation.isOver())
    }
  }

  return {
    parse: async work => {
      work.signal.throwIfAborted()
      if (work.environment === 'test' && simulatedName.test(work.name)) throw new ParseFailure('simulated')
      const small = await parseSmall(work.path, work.name)
      return small === null ? parseInChild(work) : work.use(small)
    },
    close: pool.close,
  }
}

async function parseSmall(path: string, name: string): Promise<ParsedDocument | null> {
  const size = await stat(path).then(
    found => found.size,
    () => null,
  )
  if (size === null || size === 0 || size > smallTextBytes) return null
  const document = parseSmallText(await readFile(path), name)
  return document === null ? null : inProcess(document)
}

function inProcess(document: ExtractedText): ParsedDocument {
  const { title, pageCount, text } = document
  return {
    title,
    pageCount,
    textLength: codePointLength(text),
    chunks: (async function* () {
      yield [...chunksOf(document)]
    })(),
  }
}

/** Asks a child to read one file. The conversation is over, and the child free, once its end or a failure was heard. */
function converse(child: ParsingChild, timeoutMs: number) {
  let isOver = false

  const receive = async (deadlineMs: number): Promise<FromChild> => {
    const timer = setTimeout(
      () => child.kill(new ParseFailure('timeout')),
      Math.max(0, deadlineMs - performance.now()),
    )
    const message = await child.receive().finally(() => clearTimeout(timer))
    isOver =
      message.type === 'failed' ||
      message.type === 'broken' ||
      (message.type === 'end' && message.residentBytes <= maxRestingBytes)
    if (message.type === 'broken') throw new Error(`The file could not be read here: ${message.detail}`)
    if (message.type === 'failed') throw new ParseFailure(message.code, message.message, message.detail)
    return message
  }

  async function* chunks(): AsyncGenerator<Chunk[]> {
    for (;;) {
      child.send({ type: 'next' })
      const message = await receive(performance.now() + timeoutMs)
      if (message.type === 'end') return
      if (message.type !== 'chunks') throw unexpected(message)
      yield message.chunks
    }
  }

  return {
    read: async ({ path, name, onProgress }: ParseWork<unknown>): Promise<ParsedDocument> => {
      const deadlineMs = performance.now() + timeoutMs
      child.send({ type: 'parse', path: await child.lend(path), name })
      for (;;) {
        const message = await receive(deadlineMs)
        if (message.type === 'progress') onProgress(message.share)
        else if (message.type === 'parsed') return { ...message, chunks: chunks() }
        else throw unexpected(message)
      }
    },
    isOver: () => isOver,
  }
}

const unexpected = (message: FromChild): Error => new Error(`The parsing process said ${inspect(message)}`)
