/** One parsing child: the server starts it, asks it about one file at a time, and kills it when it misbehaves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import type { Chunk } from '../chunking.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'
import type { PlacedPassage } from '../pdf/boxes.ts'
import type { Warning } from '../warnings.ts'
import { codeFolders, compiledInside, compiledReaders } from './code.ts'
import { enclose, type Stages, toolPath } from './container.ts'
import { causeOfDeath } from './death.ts'
import { documentName, makePlace } from './place.ts'

/** A page of a PDF as a picture: a PNG in base64, null if the page is absent. Pages count from 1. */
export type RenderedPage = { page: number; pageCount: number; picture: string | null }

/**
 * The messages for one file: `parse`, one `recognised` for each picture that the server is asked to read, and one
 * `next` for each batch of chunks. Or `draw` for one page.
 */
export type ToChild =
  | ToParse
  | ({ type: 'draw' } & Drawing)
  | ({ type: 'find' } & Finding)
  | { type: 'next' }
  /** Null if the picture cannot be read. */
  | { type: 'recognised'; text: string | null }
  /** For the attack of `doctor`, which runs in place of the reader. */
  | { type: 'attack'; targets: Targets }

/** `longest` is the length of the page's longer side in pixels, `processorMs` the most processor time. */
export type Drawing = { path: string; page: number; longest: number; processorMs: number }

/** A passage on a page. */
export type Finding = { path: string; page: number; passage: string; processorMs: number }

export type ToParse = {
  type: 'parse'
  path: string
  name: string
  /** Processor time for a file of a few bytes; each MiB of the file adds as much again. */
  processorMs: number
  /** False if a PDF without text goes to text recognition. */
  isFinal: boolean
  /** At most this many files within the file are read. */
  maxInnerFiles: number
  /** How the text of pictures is read; null if it is not. */
  recognition: Recognition | null
}

export type Recognition = {
  /** Of Tesseract in the child; null if the server reads the pictures, with the operator's program. */
  languages: readonly string[] | null
  timeoutMs: number
}

/**
 * For the thread that watches a child: the resident memory in bytes, and the processor time in milliseconds, at which
 * the child is killed.
 */
export type WatchData = { parentId: number; limits: Float64Array<SharedArrayBuffer> }

export type FromChild =
  /** The child has begun: before that, its death is the machine's fault. */
  | { type: 'ready' }
  | { type: 'progress'; share: number }
  /** The `count`th file within the file is about to be looked for or read. */
  | { type: 'inner-file'; count: number }
  | ({ type: 'parsed' } & Parsed)
  /** The server is to read a picture, which is in base64. */
  | { type: 'picture'; picture: string }
  | { type: 'chunks'; chunks: Chunk[] }
  | ({ type: 'page' } & RenderedPage)
  | ({ type: 'found' } & PlacedPassage)
  | { type: 'attacked'; outcomes: Outcomes; isCompiled: boolean }
  /** No more chunks or pages; the child is free for the next file. */
  | { type: 'end'; residentBytes: number }
  /** The file is at fault. */
  | { type: 'failed'; code: ParseFailureCode; message: string; detail: string }
  /** The machine is at fault: another attempt may succeed. */
  | { type: 'broken'; detail: string }

// What `doctor` lets a child try, to see what holds.

export type Attack =
  | 'write a file'
  | 'read the secret'
  | 'list the data folder'
  | 'load a library that it wrote'
  | 'load the document as a library'
  | "read another process's environment"
  | 'connect to the server'
  | 'signal the server'
  | 'start a program'

export type Targets = {
  /** What the attack's files are called. */
  name: string
  dataDir: string
  secret: string
  document: string
  /** Where a file could be written. */
  folders: readonly string[]
  /** A process that is not in the container. */
  serverId: number
  /** A hash of its environment. */
  environment: string
  /** Something listens here, as the server does. */
  port: number
}

/** The error with which each attack failed; null where it succeeded. */
export type Outcomes = Record<Attack, string | null>

export type ParsingChild = {
  /** Lets the child read one file, under the returned path. The child can open no other stored file. */
  lend(path: string): Promise<string>
  /** Takes the file from a child that is kept. */
  takeBack(): void
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
export const memoryFlags = [
  `--max-old-space-size=${heapMegabytes}`,
  `--max-semi-space-size=${youngHeapMegabytes}`,
  '--expose-gc',
] as const

/** The renderer of pages draws letters that a PDF does not bring along with these. */
const fonts = ['/usr/share/fonts', '/usr/local/share/fonts']

/** `isWalled`: under Node's own permissions, as every reader. */
type Program = { program?: URL; isWalled?: boolean }

const reader = new URL('./child.ts', import.meta.url)

/**
 * `folder` is for the children's temporary files. No other process may write there. `program` is the reader, or for
 * `doctor` an attack in its place.
 */
export function startChild(
  folder: string,
  has: Stages,
  { program = reader, isWalled = true }: Program = {},
): ParsingChild {
  const place = makePlace(folder, has)
  const { inside, scratch } = place
  const cache = compiledReaders(folder)
  // Node uses compiled code only if it may also write there. So it may where the container makes that impossible.
  const mayUseCache = cache !== null && has.has('files')
  const code = codeFolders.map(path => ({ path }))
  const shown = [
    ...code,
    ...(mayUseCache ? [{ path: cache, at: compiledInside }] : []),
    { path: realpathSync(process.execPath), mayRun: true },
    ...fonts.filter(path => existsSync(path)).map(path => ({ path })),
    { path: place.outside, at: inside },
  ]
  // Even if a file takes over its reader, Node starts no program for it, and opens no files but these.
  const walls = [
    '--permission',
    '--allow-worker',
    ...[...codeFolders, inside, ...(mayUseCache ? [compiledInside] : [])].map(
      path => `--allow-fs-read=${path}`,
    ),
    ...(mayUseCache ? [`--allow-fs-write=${compiledInside}`] : []),
  ]
  const [command = process.execPath, ...rest] = enclose({ has, scratch, shown }, [
    realpathSync(process.execPath),
    '--no-warnings',
    ...memoryFlags,
    ...(isWalled ? walls : []),
    fileURLToPath(program),
  ])
  const child = spawn(command, rest, {
    // The environment holds none of the server's secrets.
    env: {
      PATH: toolPath,
      MALLOC_ARENA_MAX: '2',
      NODE_COMPILE_CACHE: mayUseCache ? compiledInside : undefined,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const lastWords = keepLastWords(child)
  // Retries, since a child that is about to end may still write there. The callers of `kill` cannot handle an error.
  const removeScratch = (): void =>
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
  let isReady = false
  const inbox: FromChild[] = []
  let waiting: PromiseWithResolvers<FromChild> | null = null
  let death: Error | null = null

  child.on('message', (message: FromChild) => {
    isReady = true
    if (message.type === 'ready') return
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
    // A child that has not begun has not seen the file.
    die(isReady ? causeOfDeath(code, signal, lastWords()) : notBegun(code, signal, lastWords()))
    removeScratch()
  })
  // An idle child must not keep the server's process alive.
  child.unref()
  child.channel?.unref()

  return {
    async lend(path) {
      if (death !== null) throw death
      await place.lend(path)
      if (death === null) return join(inside, documentName)
      // The folder may have been removed while the file came in.
      removeScratch()
      throw death
    },
    takeBack: place.takeBack,
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

const notBegun = (code: number | null, signal: string | null, words: string): Error =>
  new Error(`The parsing process did not start: ${words.trim() || (signal ?? `code ${code}`)}`)

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

// The conversation between the server and one child about one file, and the limit on the child's time.

type Parsed = {
  title: string | null
  pageCount: number | null
  warnings: Warning[]
  /** Pages that are pictures whose text was not recognised. */
  unreadPages: number
  /** In Unicode code points. */
  textLength: number
}

export type ParsedDocument = Parsed & {
  /** The document's chunks in order, in batches. The child keeps each batch until the server asks for it. */
  chunks: AsyncIterable<Chunk[]>
}

type Question = Omit<ToParse, 'type'> & {
  onProgress: (share: number) => void
  onInnerFile: (count: number) => void
  /** Reads a picture for the child. */
  recognise?: (picture: Buffer) => Promise<string | null>
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

  const draw = async ({ path, page, longest }: Omit<Drawing, 'processorMs'>): Promise<RenderedPage> => {
    ask({ type: 'draw', path: await child.lend(path), page, longest, processorMs: timeoutMs })
    const message = await receive()
    if (message.type !== 'page') throw unexpected(message)
    const end = await receive()
    if (end.type !== 'end') throw unexpected(end)
    return message
  }

  const find = async ({ path, page, passage }: Omit<Finding, 'processorMs'>): Promise<PlacedPassage> => {
    ask({ type: 'find', path: await child.lend(path), page, passage, processorMs: timeoutMs })
    const message = await receive()
    if (message.type !== 'found') throw unexpected(message)
    const end = await receive()
    if (end.type !== 'end') throw unexpected(end)
    return message
  }

  return {
    draw,
    find,
    read: async ({
      path,
      onProgress,
      onInnerFile,
      recognise,
      ...question
    }: Question): Promise<ParsedDocument> => {
      ask({ type: 'parse', ...question, path: await child.lend(path) })
      for (;;) {
        const message = await receive()
        if (message.type === 'progress') onProgress(message.share)
        else if (message.type === 'inner-file') onInnerFile(message.count)
        else if (message.type === 'picture' && recognise !== undefined) {
          const text = await recognise(Buffer.from(message.picture, 'base64'))
          ask({ type: 'recognised', text })
        } else if (message.type === 'parsed') return { ...message, chunks: chunks() }
        else throw unexpected(message)
      }
    },
    isOver: () => isOver,
  }
}

const unexpected = (message: FromChild): Error => new Error(`The parsing process said ${inspect(message)}`)
