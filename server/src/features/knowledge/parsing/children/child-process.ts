/** One parsing child as the server holds it: started, spoken to about one file at a time, and killed when it misbehaves. */
import { type ChildProcess, fork } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import type { Chunk } from '../chunking.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'
import { withoutNetwork } from './no-network.ts'

/** A page of a PDF as a picture: a PNG in base64, null if the page is empty. Pages count from 1. */
export type RenderedPage = { page: number; pageCount: number; picture: string | null }

/**
 * One file at a time: `parse`, then `next` as often as chunks are wanted; or `render` a PDF, then `next` as often as
 * pages are wanted.
 */
export type ToChild = ToParse | { type: 'render'; path: string } | { type: 'next' }

export type ToParse = {
  type: 'parse'
  path: string
  name: string
  /** What a file of a few bytes may take of a processor; each MiB of it has as much again. */
  processorMs: number
  /** How many files within it are read. */
  maxInnerFiles: number
}

/** For the thread that watches a child. `until` is where its processor time, in milliseconds, has to end. */
export type WatchData = { limitBytes: number; parentId: number; until: Float64Array<SharedArrayBuffer> }

export type FromChild =
  | { type: 'progress'; share: number }
  /** A file within the file is about to be read, the `count`th of them. */
  | { type: 'inner-file'; count: number }
  | { type: 'parsed'; title: string | null; pageCount: number | null; textLength: number }
  | { type: 'chunks'; chunks: Chunk[] }
  | ({ type: 'page' } & RenderedPage)
  /** No more chunks or pages; the child is free for the next file. */
  | { type: 'end'; residentBytes: number }
  /** The file's fault. */
  | { type: 'failed'; code: ParseFailureCode; message: string; detail: string }
  /** The machine's fault: another attempt may succeed. */
  | { type: 'broken'; detail: string }

export type ParsingChild = {
  /** Lets it read one file, under a path of its own: it can open nothing else of what people have stored. */
  lend(path: string): string
  send(message: ToChild): void
  /** Its next message. Throws `ParseFailure` once it is dead, or the reason that it was killed for. */
  receive(): Promise<FromChild>
  /** Ends it; a `receive` in progress throws `reason`. */
  kill(reason: Error): void
  isAlive(): boolean
}

/** Of the memory that V8 manages. What libraries take beside it, the child's watch sees. */
const heapMegabytes = 384
/** With the usual 16 and more, garbage makes up half of what a child holds. */
const youngHeapMegabytes = 4
const memoryFlags = [
  `--max-old-space-size=${heapMegabytes}`,
  `--max-semi-space-size=${youngHeapMegabytes}`,
  '--expose-gc',
] as const

const source = new URL('./child.ts', import.meta.url)
const ownCode = fileURLToPath(new URL('../../../../..', source))

/** `folder` is for the children's temporary files. No other process may write there. */
export function startChild(folder: string): ParsingChild {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const scratch = mkdtempSync(join(folder, 'child-'))
  // Its own copy: what a hostile file makes this child write there, no other child runs.
  const cache = join(scratch, 'compiled')
  copyCompiledReaders(cache, memoryFlags)
  const [command = process.execPath, ...words] = withoutNetwork()
  const child = fork(source, [], {
    execPath: command,
    execArgv: [
      ...(words.length > 0 ? [...words, process.execPath] : []),
      '--no-warnings',
      ...memoryFlags,
      // Whatever a file makes a reader do, it starts no program, and reads and writes no file but these.
      '--permission',
      '--allow-addons',
      '--allow-worker',
      ...[ownCode, connectorsCode, libraries, scratch].map(path => `--allow-fs-read=${path}`),
      `--allow-fs-write=${cache}`,
    ],
    // None of the server's secrets.
    env: { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const lastWords = keepLastWords(child)
  // Tried again where a child that is about to end still writes there: `kill` is called where no one could handle an error.
  const removeScratch = (): void =>
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
  const inbox: FromChild[] = []
  let waiting: PromiseWithResolvers<FromChild> | null = null
  let death: Error | null = null

  child.on('message', (message: FromChild) => {
    if (waiting === null) inbox.push(message)
    else waiting.resolve(message)
    waiting = null
  })
  const die = (reason: Error): void => {
    death ??= reason
    waiting?.reject(death)
    waiting = null
  }
  child.on('error', die)
  child.on('exit', (code, signal) => {
    die(causeOfDeath(code, signal, lastWords()))
    removeScratch()
  })
  // An idle child keeps no server from ending.
  child.unref()
  child.channel?.unref()

  return {
    lend(path) {
      if (death !== null) throw death
      const link = join(scratch, 'document.pdf')
      // In one turn: a link that is made while `kill` empties the folder would keep it from being removed.
      rmSync(link, { force: true })
      symlinkSync(resolve(path), link)
      return link
    },
    send: message => {
      if (death === null) child.send(message, error => error !== null && die(error))
    },
    receive: () => {
      const next = inbox.shift()
      if (next !== undefined) return Promise.resolve(next)
      if (death !== null) return Promise.reject(death)
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    kill: reason => {
      die(reason)
      child.kill('SIGKILL')
      // Not only once it has ended: the server may end first.
      removeScratch()
    },
    isAlive: () => death === null,
  }
}

function causeOfDeath(code: number | null, signal: string | null, words: string): ParseFailure {
  // Its own watch and the kernel kill it for its memory; V8 aborts with these words.
  if (signal === 'SIGXCPU') return new ParseFailure('too_complex')
  if (signal === 'SIGKILL' || /heap out of memory|heap limit/.test(words))
    return new ParseFailure('out_of_memory')
  const cause = new Error(`The parsing process ended with ${signal ?? `code ${code}`}: ${words}`)
  return new ParseFailure('parser_crashed', undefined, cause)
}

const maxWords = 2_000

/** The end of what the child wrote to its error stream. */
function keepLastWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (piece: string) => {
    words = (words + piece).slice(-maxWords)
  })
  return () => words
}

// The code of the readers, compiled once per installation, so that a child starts in half the time.

const program = new URL('./compile-readers.ts', import.meta.url)

/** The folder of the packages that the readers are made of. */
const libraries = dirname(dirname(findPackageJSON('saxes', program) ?? ''))

/** The folder of the package that reads HTML. */
const connectorsCode = realpathSync(dirname(findPackageJSON('@atrium/connectors/html', program) ?? ''))

/** Within the installation: a folder that others may write to must hold no code of ours. */
const cacheFolder = join(libraries, '.cache')
const master = join(cacheFolder, 'atrium-readers')
let isCompiling = false

/**
 * Copies what there is to `target`. Where there is nothing yet, a process that reads no files makes it for the children
 * that come later; V8 takes it only under the same flags. Where the installation can't be written, children go without.
 */
function copyCompiledReaders(target: string, flags: readonly string[]): void {
  if (existsSync(master)) copyFiles(master, target)
  else if (!isCompiling) compile(flags)
}

/** The server waits for it: `cpSync` takes more than twice as long for so many small files. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [path, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFiles(path, copy)
    else copyFileSync(path, copy)
  }
}

function compile(flags: readonly string[]): void {
  isCompiling = true
  let folder: string
  try {
    folder = mkdtempSync(join(cacheFolder, 'atrium-readers-'))
  } catch {
    return
  }
  const child = fork(program, [], {
    execArgv: ['--no-warnings', ...flags],
    env: { NODE_COMPILE_CACHE: folder },
    stdio: 'ignore',
  })
  child.unref()
  child.channel?.unref()
  child.once('exit', code => {
    try {
      if (code === 0) renameSync(folder, master)
    } catch {
      // Another server has been faster.
    }
    rmSync(folder, { recursive: true, force: true })
  })
}

// What is said between the server and one child about one file, and how long the child may think about it.

export type ParsedDocument = {
  title: string | null
  pageCount: number | null
  /** In Unicode code points. */
  textLength: number
  /** Its chunks in their order, some at a time: they stay in the child until they are asked for. */
  chunks: AsyncIterable<Chunk[]>
}

type Question = Omit<ToParse, 'type'> & {
  onProgress: (share: number) => void
  onInnerFile: (count: number) => void
}

/** A child that holds more than this when it is done is not used again. */
const maxRestingBytes = 150 * 1024 * 1024

/** Asks a child about one file. The conversation is over, and the child free, before anything is asked and once its end or a failure has arrived. */
export function converse(child: ParsingChild, timeoutMs: number) {
  let isOver = true
  let leftMs = timeoutMs

  const ask = (question: ToChild): void => {
    isOver = false
    child.send(question)
  }

  /** Only the time in which the child is waited for is its own. */
  const receive = async (): Promise<FromChild> => {
    const askedAtMs = performance.now()
    const timer = setTimeout(() => child.kill(new ParseFailure('parsing_timeout')), Math.max(0, leftMs))
    const message = await child.receive().finally(() => clearTimeout(timer))
    leftMs -= performance.now() - askedAtMs
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
      ask({ type: 'next' })
      const message = await receive()
      if (message.type === 'end') return
      if (message.type !== 'chunks') throw unexpected(message)
      yield message.chunks
    }
  }

  async function* pages(path: string): AsyncGenerator<RenderedPage> {
    ask({ type: 'render', path: child.lend(path) })
    for (;;) {
      const message = await receive()
      if (message.type === 'end') return
      if (message.type !== 'page') throw unexpected(message)
      yield message
      ask({ type: 'next' })
    }
  }

  return {
    read: async ({ path, onProgress, onInnerFile, ...question }: Question): Promise<ParsedDocument> => {
      const { name, processorMs, maxInnerFiles } = question
      ask({ type: 'parse', path: child.lend(path), name, processorMs, maxInnerFiles })
      for (;;) {
        const message = await receive()
        if (message.type === 'progress') onProgress(message.share)
        else if (message.type === 'inner-file') onInnerFile(message.count)
        else if (message.type === 'parsed') return { ...message, chunks: chunks() }
        else throw unexpected(message)
      }
    },
    pages,
    isOver: () => isOver,
  }
}

const unexpected = (message: FromChild): Error => new Error(`The parsing process said ${inspect(message)}`)
