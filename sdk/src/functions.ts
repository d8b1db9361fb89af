/** Functions of the caller's own program: named to the model with a run, carried out here, and answered. */
import { idOfCall, type Run } from './records.ts'
import { path, post } from './transport/calls.ts'
import type { Body } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { withoutUndefined } from './without-undefined.ts'

type PendingCall = Run['pendingToolCalls'][number]
type Result = Body<'sendToolResults'>['results'][number]

/** A function that a model may call while it answers. */
export type RunFunction = {
  /** What it does and when to call it, for the model. */
  description?: string
  /** JSON Schema of the input. Leave it out for a function that the agent names already. */
  schema?: Record<string, unknown>
  /** Returns the result as JSON; the message of an error that it throws goes to the model. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema says what the input is, and its author knows it.
  run: (input: any, call: FunctionCall) => unknown
}

/** The call that a function answers; `signal` is aborted where the run is no longer waited for. */
export type FunctionCall = { runId: string; toolCallId: string; signal: AbortSignal }

/** What a run is asked, with the functions that answer its calls. */
export type RunRequest = Body<'runAgent'> & { tools?: RunFunctions }

export type RunFunctions = Readonly<Record<string, RunFunction>>

/** The request without what only this program knows. */
export function bodyOf({ tools = {}, ...body }: RunRequest): Body<'runAgent'> {
  const named = Object.entries(tools).flatMap(([name, { description, schema }]) =>
    schema === undefined ? [] : [withoutUndefined<NamedFunction>({ name, description, inputSchema: schema })],
  )
  return named.length === 0 ? body : { ...body, functions: [...(body.functions ?? []), ...named] }
}

type NamedFunction = NonNullable<Body<'runAgent'>['functions']>[number]

/**
 * Returns a function that carries out the calls for which a run waits, at the same time and each once, and sends their
 * results. It answers whether there were any.
 */
export function createAnswering(
  transport: Transport,
  tools: RunFunctions,
  { signal = new AbortController().signal, timeoutMs }: Pick<CallOptions, 'signal' | 'timeoutMs'>,
): (run: Run) => Promise<boolean> {
  const begun = new Set<string>()

  async function answer(call: PendingCall, run: RunFunction['run']): Promise<void> {
    const result = await resultOf(call, run, signal)
    signal.throwIfAborted()
    const at = path`/runs/${call.runId}/tool-results`
    await post<'sendToolResults'>(transport, at, { results: [result] }, { signal, timeoutMs })
  }

  return async ({ pendingToolCalls }) => {
    const work: Promise<void>[] = []
    for (const call of pendingToolCalls) {
      const known = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined
      if (known === undefined || begun.has(idOfCall(call))) continue
      begun.add(idOfCall(call))
      work.push(answer(call, known.run))
    }
    await untilAborted(Promise.all(work), signal)
    return work.length > 0
  }
}

/** The server's limits, so that the model learns of a result that it cannot be given. */
const mostCharacters = 60_000
const mostErrorCharacters = 2_000

async function resultOf(
  { runId, toolCallId, input }: PendingCall,
  run: RunFunction['run'],
  signal: AbortSignal,
): Promise<Result> {
  try {
    const output = (await run(input, { runId, toolCallId, signal })) ?? null
    const json = JSON.stringify(output)
    if (json === undefined) throw new TypeError('The result of the function is not JSON')
    if (json.length > mostCharacters) {
      throw new RangeError(`The result has ${json.length} characters, of at most ${mostCharacters}`)
    }
    return { toolCallId, output }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { toolCallId, error: message.slice(0, mostErrorCharacters) || 'The function failed' }
  }
}

/** A function that does not look at its signal must not hold up the program. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}
