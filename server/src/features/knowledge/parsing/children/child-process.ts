/** One parsing child: the server starts it, asks it about one file at a time, and kills it when it misbehaves. */
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
import { causeOfDeath } from './death.ts'
import { withoutNetwork } from './no-network.ts'

/** A page of a PDF as a picture: a PNG in base64, null if the page is empty. Pages count from 1. */
export type RenderedPage = { page: number; pageCount: number; picture: string | null }

/**
 * The messages for one file: `parse`, then one `next` for each batch of chunks. Or `render` for a PDF, then one
 * `next` for each page after the first.
 */
export type ToChild = ToParse | { type: 'render'; path: string } | { type: 'next' }

export type ToParse = {
  type: 'parse'
  path: string
  name: string
  /** Processor time for a file of a few bytes; each MiB of the file adds as much again. */
  processorMs: number
  /** At most this many files within the file are read. */
  maxInnerFiles: number
}

/**
 * For the thread that watches a child. `until` is the processor time, in milliseconds, at which the child is killed.
 */
export type WatchData = { limitBytes: number; parentId: number; until: Float64Array<SharedArrayBuffer> }

export type FromChild =
  | { type: 'progress'; share: number }
  /** The `count`th file within the file is about to be looked for or read. */
  | { type: 'inner-file'; count: number }
  | { type: 'parsed'; title: string | null; pageCount: number | null; textLength: number }
  | { type: 'chunks'; chunks: Chunk[] }
  | ({ type: 'page' } & RenderedPage)
  /** No more chunks or pages; the child is free for the next file. */
  | { type: 'end'; residentBytes: number }
  /** The file is at fault. */
  | { type: 'failed'; code: ParseFailureCode; message: string; detail: string }
  /** The machine is at fault: another attempt may succeed. */
  | { type: 'broken'; detail: string }

export type ParsingChild = {
  /** Lets the child read one file through the returned link. The child can open no other stored file. */
  lend(path: string): string
  send(message: ToChild): void
  /** The child's next message. Throws `causeOfDeath` if the child has died, or the reason that `kill` was given. */
  receive(): Promise<FromChild>
  /** Kills the child; a `receive` in progress throws `reason`. */
  kill(reason: Error): void
  isAlive(): boolean
}

/** The limit for memory that V8 manages. The child's watch thread also counts the memory of libraries. */
const heapMegabytes = 384
/** With V8's usual 16 or more, garbage makes up half of a child's memory. */
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
  // Each child has its own copy, so that no child runs code that a hostile file made another child write.
  const cache = join(scratch, 'compiled')
  copyCompiledReaders(cache, memoryFlags)
  const [command = process.execPath, ...words] = withoutNetwork()
  const child = fork(source, [], {
    execPath: command,
    execArgv: [
      ...(words.length > 0 ? [...words, process.execPath] : []),
      '--no-warnings',
      ...memoryFlags,
      // Even if a file takes over its reader, the child starts no program, and reads and writes no files but these.
      '--permission',
      '--allow-addons',
      '--allow-worker',
      ...[ownCode, connectorsCode, libraries, scratch].map(path => `--allow-fs-read=${path}`),
      `--allow-fs-write=${cache}`,
    ],
    // The environment holds none of the server's secrets.
    env: { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const lastWords = keepLastWords(child)
  // Retries, since a child that is about to end may still write there. The callers of `kill` cannot handle an error.
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
  // An idle child must not keep the server's process alive.
  child.unref()
  child.channel?.unref()

  return {
    lend(path) {
      if (death !== null) throw death
      const link = join(scratch, 'document.pdf')
      // Synchronous: a link that is made while `kill` empties the folder would prevent the folder's removal.
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
      // Does not wait for the child's exit: the server may end first.
      removeScratch()
    },
    isAlive: () => death === null,
  }
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

/** The folder of the packages that the readers use. */
const libraries = dirname(dirname(findPackageJSON('saxes', program) ?? ''))

/** The folder of the package that reads HTML. */
const connectorsCode = realpathSync(dirname(findPackageJSON('@atrium/connectors/html', program) ?? ''))

/** Lies within the installation: compiled code must not lie in a folder that others may write to. */
const cacheFolder = join(libraries, '.cache')
const master = join(cacheFolder, 'atrium-readers')
let isCompiling = false

/**
 * Copies the compiled code to `target`. If there is none yet, a process that reads no files compiles it for later
 * children. V8 accepts it only under the same flags. If the installation is not writable, children start without it.
 */
function copyCompiledReaders(target: string, flags: readonly string[]): void {
  if (existsSync(master)) copyFiles(master, target)
  else if (!isCompiling) compile(flags)
}

/** The server waits for the copy, and `cpSync` takes more than twice as long for so many small files. */
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

// The conversation between the server and one child about one file, and the limit on the child's time.

export type ParsedDocument = {
  title: string | null
  pageCount: number | null
  /** In Unicode code points. */
  textLength: number
  /** The document's chunks in order, in batches. The child keeps each batch until the server asks for it. */
  chunks: AsyncIterable<Chunk[]>
}

type Question = Omit<ToParse, 'type'> & {
  onProgress: (share: number) => void
  onInnerFile: (count: number) => void
}

/** A child that holds more memory than this after a file is not used again. */
const maxRestingBytes = 150 * 1024 * 1024

/**
 * Asks a child about one file. `isOver` tells that the child is free: before the first question, and after an `end`
 * or a failure.
 */
export function converse(child: ParsingChild, timeoutMs: number) {
  let isOver = true
  let leftMs = timeoutMs

  const ask = (question: ToChild): void => {
    isOver = false
    child.send(question)
  }

  /** Only the time in which the server waits for the child counts against the child's limit. */
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
