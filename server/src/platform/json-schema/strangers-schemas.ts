/** JSON Schemas that strangers wrote: whether they are valid, whether a value fits, and a sample value that fits. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FieldError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { threadVariables } from '../threads/pool.ts'
import { notInTime, tooComplex } from './faults.ts'

export type JsonSchema = Record<string, unknown>

export type SchemaWork =
  | { kind: 'read'; schema: JsonSchema }
  | { kind: 'check'; schema: JsonSchema; value: unknown; whole: string }
  | { kind: 'sample'; schema: JsonSchema; text: string }

export type SchemaAnswer = {
  /** What is wrong with the schema, or what in the value does not fit the schema. */
  faults: FieldError[]
  sample?: unknown
}

export type StrangersSchemas = {
  /**
   * Null if it is a JSON Schema within limits. A fault has its dotted path within the schema, which is empty for the
   * schema itself. Takes drafts 2019-09 and 2020-12, and the parts of draft 7 that mean the same there. Nothing is
   * fetched: `$ref` leads to places of the schema itself. `owner` is the workspace: workspaces take turns.
   */
  faultOf(schema: JsonSchema, owner: string): Promise<FieldError | null>
  /** What does not fit, in the order found; empty if the value fits. `whole` is what the value is called. */
  check(schema: JsonSchema, value: unknown, owner: string, whole: string): Promise<FieldError[]>
  /**
   * A sample that fits, always the same one, with `text` wherever any text fits. Throws `NoSample` if it takes too
   * long.
   */
  sample(schema: JsonSchema, text: string, owner: string): Promise<unknown>
  close(): Promise<void>
}

export const maxSchemaBytes = 65_536
const maxDepth = 30
/** Compiling takes about 20 µs for each keyword. */
const maxKeywords = 2_500
const maxPatternLength = 1_000
/** The thread's own processor time, so that a busy machine does not refuse a harmless schema. */
const mostProcessorMs = 500
const lookEveryMs = 20
/** For a thread that waits instead of working, which no thread should do. */
const mostWallMs = 60_000
/** A thread takes 15 MB. */
const idleMs = 30_000
const threadMegabytes = 128
const mostKept = 1_000

export class NoSample extends Error {
  override readonly name = 'NoSample'

  constructor() {
    super(
      `To make a value that fits the schema took more than ${mostProcessorMs} ms: give its texts \`examples\` that fit, or a simpler \`pattern\``,
    )
  }
}

/** `start` makes the thread. A test that ends threads passes its own. */
export function createStrangersSchemas(start: () => Promise<Worker> = startThread): StrangersSchemas {
  /** By hash, with faulty schemas as well: a stranger may send the same schema again and again. */
  const known = new Map<string, FieldError | null>()
  const queue = createFairQueue(1)
  let thread: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = null
    await ended?.terminate()
  }

  /** A thread that ends by itself, even while it is idle, is not used again. */
  async function begin(): Promise<Worker> {
    const begun = await start()
    begun.once('exit', () => {
      if (thread === begun) thread = null
    })
    return begun
  }

  /** Null if the thread had to be ended, or ran out of memory. */
  async function run(work: SchemaWork): Promise<SchemaAnswer | null> {
    clearTimeout(idle)
    thread ??= await begin()
    const answer = await answerOf(thread, work)
    if (answer === null) await end()
    else idle = setTimeout(end, idleMs).unref()
    return answer
  }

  return {
    async faultOf(schema, owner) {
      const text = JSON.stringify(schema)
      const hash = createHash('sha256').update(text).digest('base64')
      const present = known.get(hash)
      if (present !== undefined) return present
      const limited = beyondLimits(schema, text)
      const read = async () => (await run({ kind: 'read', schema: bare(schema) }))?.faults ?? tooComplex
      const fault = limited ?? (await queue.run(owner, read))[0] ?? null
      if (known.size >= mostKept) known.clear()
      known.set(hash, fault)
      return fault
    },
    check: (schema, value, owner, whole) =>
      queue.run(owner, async () => {
        const answer = await run({ kind: 'check', schema: bare(schema), value, whole })
        return answer?.faults ?? notInTime(whole)
      }),
    sample: (schema, text, owner) =>
      queue.run(owner, async () => {
        const answer = await run({ kind: 'sample', schema, text })
        if (answer === null) throw new NoSample()
        return answer.sample
      }),
    close: () => queue.run('', end),
  }
}

export async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./schema-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    env: threadVariables(),
  })
  await once(thread, 'message')
  // A thread that runs out of memory emits this too. Without a listener that would end the server.
  thread.on('error', () => undefined)
  thread.unref()
  return thread
}

/** Null if the thread took too long, or has ended. */
async function answerOf(thread: Worker, work: SchemaWork): Promise<SchemaAnswer | null> {
  thread.ref()
  const over = new AbortController()
  const ended = () => over.abort()
  thread.once('exit', ended)
  const usedBefore = await processorMs(thread)
  const look = async () => {
    if ((await processorMs(thread)) - usedBefore > mostProcessorMs) over.abort()
  }
  const looks = setInterval(look, lookEveryMs)
  const timer = setTimeout(() => over.abort(), mostWallMs)
  thread.postMessage(work)
  try {
    const [answer] = await once(thread, 'message', { signal: over.signal })
    return answer
  } catch {
    // The thread was ended here, or ended by itself. The caller says that the schema is too much.
    return null
  } finally {
    clearInterval(looks)
    clearTimeout(timer)
    thread.off('exit', ended)
    thread.unref()
  }
}

/** 0 for a thread that has ended. */
async function processorMs(thread: Worker): Promise<number> {
  const used = await thread.cpuUsage().catch(() => null)
  return used === null ? 0 : (used.user + used.system) / 1_000
}

function bare({ $schema: _draft, $id: _name, ...rest }: JsonSchema): JsonSchema {
  return rest
}

/** The faults that are found without the thread: of size, depth and single keywords. */
function beyondLimits(schema: JsonSchema, text: string): FieldError | null {
  if (Buffer.byteLength(text) > maxSchemaBytes)
    return { field: '', message: `must not be larger than ${maxSchemaBytes} bytes of JSON` }
  const found = { keywords: 0 }
  return faultIn(schema, [], found)
}

function faultIn(value: unknown, path: readonly string[], found: { keywords: number }): FieldError | null {
  if (path.length > maxDepth)
    return { field: path.slice(0, 3).join('.'), message: `is nested deeper than ${maxDepth} levels` }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    found.keywords += 1
    if (found.keywords > maxKeywords)
      return { field: '', message: `must have at most ${maxKeywords} keywords, names and values` }
    const place = [...path, key]
    const fault = keywordFault(key, item, path.length === 0)
    if (fault !== null) return { field: place.join('.'), message: fault }
    const within = faultIn(item, place, found)
    if (within !== null) return within
  }
  return null
}

function keywordFault(key: string, item: unknown, isRoot: boolean): string | null {
  if (typeof item !== 'string') return null
  if ((key === '$ref' || key === '$dynamicRef') && !item.startsWith('#')) {
    return 'must lead to a place of the schema itself, such as #/$defs/address'
  }
  if (key === '$id' && !isRoot) return 'is taken at the top only'
  if (key === 'pattern' && item.length > maxPatternLength) {
    return `must have at most ${maxPatternLength} characters`
  }
  return null
}
