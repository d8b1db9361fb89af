/** The tool calls of one answer: planned, and carried out in parallel. The model reads the errors of tools. */
import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { faultsIn } from '../../../platform/json-schema/own-schema.ts'
import {
  AnswerLater,
  type Passage,
  type Spent,
  type Tool,
  ToolError,
  type ToolResult,
  type UsedConnection,
} from '../../../platform/tool.ts'
import type { NumberedPassage } from '../records/citations.ts'
import {
  type Approval,
  passagesOf,
  type Sender,
  type SentResult,
  type ToolStep,
  type WaitingCall,
} from '../records/steps.ts'
import { coerced } from './coerced-arguments.ts'
import { addStep, type Execution, type ExecutionDependencies, type RunFunction } from './execution.ts'
import { parseArguments } from './prompt.ts'

type CalledTools = {
  /** The results, in the order of the calls. Each result is already a step of the execution. */
  results: ToolStep[]
  /** Calls that wait for an approval or a result; null if no call has to wait for anything. */
  waiting: WaitingCall[] | null
}

/** Throws after every call has ended: the reason of an aborted signal, or the error of `record`. */
export async function callTools(
  dependencies: ExecutionDependencies,
  calls: readonly LanguageModelV3ToolCall[],
  execution: Execution,
): Promise<CalledTools> {
  const { steps, context } = execution
  const plans = await Promise.all(
    calls.map(async (call, index) => ({ call, plan: await planCall(call, index, execution) })),
  )
  context.signal.throwIfAborted()
  const pending = plans.flatMap(({ plan }) => (plan.kind === 'wait' ? [plan.pending] : []))
  const now = plans.flatMap(({ call, plan }) => (plan.kind === 'wait' ? [] : [{ call, plan }]))
  announce(now, execution)
  const mayBegin = storeBefore(now, execution)
  const number = createNumbering(passagesOf(steps))
  const attempts = now.map(planned => attempt(dependencies, planned, mayBegin, execution))
  // A call that fails while an earlier one runs must not be an unhandled rejection, which ends the process.
  void Promise.allSettled(attempts)
  const results: ToolStep[] = []
  let isLater = false
  let failure: { reason: unknown } | null = null
  // In the order of the calls, so that passages get the same numbers whichever call ends first.
  for (const settled of attempts) {
    try {
      const outcome = await settled
      if (outcome === 'later') isLater = true
      else {
        const step = stepOf(outcome, number)
        results.push(step)
        addStep(step, execution)
        if (!outcome.isSafeToRepeat) storeSoon(execution)
      }
    } catch (reason) {
      failure ??= { reason }
    }
  }
  if (failure !== null) throw failure.reason
  // The model's answer is stored before the model is asked again: a second answer would be a different one.
  await mayBegin
  context.signal.throwIfAborted()
  return { results, waiting: isLater || pending.length > 0 ? pending : null }
}

type Planned = { call: LanguageModelV3ToolCall; plan: Exclude<Plan, { kind: 'wait' }> }

function announce(now: readonly Planned[], { steps, events }: Execution): void {
  for (const [index, { call, plan }] of now.entries()) {
    events.emit('step.started', {
      stepIndex: steps.length + index,
      stepType: 'tool',
      name: call.toolName,
      toolCallId: call.toolCallId,
      input: plan.input,
    })
  }
}

/**
 * Stores the answer that called the tools while the tools run. Resolves once the calls that are not safe to repeat
 * are stored as begun, so that the next worker of the run knows them.
 */
function storeBefore(now: readonly Planned[], { record, calls }: Execution): Promise<void> {
  const unsafe = now.flatMap(({ call: { toolCallId: callId, toolName: name }, plan }) =>
    plan.kind === 'run' && !plan.isSafeToRepeat ? [{ callId, name, input: plan.input }] : [],
  )
  const stored = record().then(() => (unsafe.length === 0 ? undefined : calls.begin(unsafe)))
  // If no call waits for this promise, the next steps store what was not stored now.
  stored.catch(() => undefined)
  return stored
}

type Outcome = {
  call: LanguageModelV3ToolCall
  input: unknown
  approval: Approval | null
  sent?: Sender
  isSafeToRepeat: boolean
  startedAt: number
  durationMs: number
  result?: ToolResult
  error?: string
  spent?: Spent | undefined
  connections?: UsedConnection[]
}

async function attempt(
  { clock, log }: ExecutionDependencies,
  { call, plan }: Planned,
  mayBegin: Promise<void>,
  { context }: Execution,
): Promise<Outcome | 'later'> {
  const startedAt = clock()
  const begun = performance.now()
  const outcome = (answer: Pick<Outcome, 'result' | 'error' | 'spent' | 'connections'>): Outcome => ({
    call,
    input: plan.input,
    approval: plan.kind === 'sent' ? null : plan.approval,
    isSafeToRepeat: plan.kind !== 'run' || plan.isSafeToRepeat,
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    ...answer,
  })
  if (plan.kind === 'answer') return outcome({ error: plan.error })
  if (plan.kind === 'sent') return sentOutcome(call, plan)
  if (!plan.isSafeToRepeat) await mayBegin
  try {
    context.signal.throwIfAborted()
    const result = await plan.tool.run(context, plan.input, call.toolCallId)
    return outcome({ result })
  } catch (failure) {
    if (failure instanceof AnswerLater) return 'later'
    context.signal.throwIfAborted()
    if (failure instanceof ToolError) {
      const { message, spent, connections } = failure
      return outcome({ error: message, connections, spent })
    }
    if (failure instanceof ServiceError && failure.statusCode < 500)
      return outcome({ error: failure.message })
    log.error('A tool failed', { tool: plan.tool.name, error: failure })
    return outcome({ error: 'The tool failed' })
  }
}

function sentOutcome(
  call: LanguageModelV3ToolCall,
  { input, result: { answer, requestedAt, sender } }: Extract<Plan, { kind: 'sent' }>,
): Outcome {
  const answered = 'error' in answer ? answer : { result: { content: answer.output } }
  return {
    call,
    input,
    approval: null,
    sent: sender,
    isSafeToRepeat: true,
    startedAt: requestedAt,
    durationMs: sender.at - requestedAt,
    ...answered,
  }
}

/** Stored at once, because repeating an unsafe call would not show what the call did. */
const storeSoon = ({ record }: Execution): void => void record().catch(() => undefined)

function stepOf(outcome: Outcome, number: ReturnType<typeof createNumbering>): ToolStep {
  const { call, input, approval, sent, result, error, startedAt, durationMs } = outcome
  const spent = outcome.spent ?? result?.spent
  const connections = outcome.connections ?? result?.connections ?? []
  const bound = result === undefined ? { passages: [] } : boundResult(result, number)
  return {
    type: 'tool',
    name: call.toolName,
    startedAt,
    durationMs,
    record: withoutUndefined({
      toolCallId: call.toolCallId,
      input,
      ...bound,
      spent,
      connections: connections.length === 0 ? undefined : connections,
      approval: approval ?? undefined,
      sent,
      error: error === undefined ? undefined : { message: error },
    }),
  }
}

/** The limit of a result's JSON, and of its passages together. */
const mostCharacters = 60_000

type BoundResult = { passages: NumberedPassage[]; content?: unknown; note?: string | undefined }

/** Cuts a result that is too long, and says so in the note. */
function boundResult(result: ToolResult, number: (passage: Passage) => NumberedPassage): BoundResult {
  const found = result.passages ?? []
  const fitting = found.slice(0, firstThatDoNotFit(found))
  const passages = fitting.map(number)
  const content = result.contentFor?.(passages.map(each => `[${each.number}]`)) ?? result.content
  const bound = content === undefined ? null : boundContent(content)
  const notes = [
    result.note,
    fitting.length < found.length ? `Only ${fitting.length} of ${found.length} passages fit.` : undefined,
    bound?.note,
  ].filter(note => note !== undefined)
  return {
    passages,
    content: bound === null ? undefined : bound.content,
    note: notes.length === 0 ? undefined : notes.join(' '),
  }
}

function firstThatDoNotFit(passages: readonly Passage[]): number {
  let characters = 0
  const first = passages.findIndex(({ text, headings = [] }) => {
    characters += text.length + headings.join('\n').length
    return characters > mostCharacters
  })
  return first === -1 ? passages.length : first
}

/** Values that JSON cannot hold, such as NaN, become what `JSON.stringify` makes of them. */
function boundContent(content: unknown): { content: unknown; note: string | undefined } {
  const json = JSON.stringify(content) ?? 'null'
  if (json.length <= mostCharacters) return { content: JSON.parse(json), note: undefined }
  const cut = shorten(JSON.parse(json), mostCharacters / json.length)
  const fits = JSON.stringify(cut).length <= mostCharacters
  return {
    content: fits ? cut : json.slice(0, mostCharacters).toWellFormed(),
    note: `The result was cut: it had ${json.length} characters, of at most ${mostCharacters}.`,
  }
}

/** Cuts the longest text of an object, because this text makes the result long. */
function shorten(content: unknown, share: number): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const longest = Object.entries(content)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .sort(([, a], [, b]) => b.length - a.length)[0]
  if (longest === undefined) return content
  const [name, text] = longest
  // A little less than the share leaves room for the other fields and for escapes.
  return { ...content, [name]: text.slice(0, Math.floor(text.length * share * 0.95) - 100).toWellFormed() }
}

/** Numbers passages over the whole run; a passage that was found before keeps its number. */
function createNumbering(before: readonly NumberedPassage[]) {
  const numbers = new Map(before.map(({ number, passage }) => [passage.chunkId, number]))
  return (passage: Passage): NumberedPassage => {
    const number = numbers.get(passage.chunkId) ?? new Set(numbers.values()).size + 1
    numbers.set(passage.chunkId, number)
    return { number, passage }
  }
}

// Decides about a call: carry it out, wait for an approval or a result, or answer it at once.

type Plan =
  | { kind: 'answer'; input: unknown; error: string; approval: Approval | null }
  | { kind: 'wait'; pending: WaitingCall }
  | { kind: 'sent'; input: unknown; result: SentResult }
  | { kind: 'run'; input: unknown; tool: Tool; isSafeToRepeat: boolean; approval: Approval | null }

const mostCallsPerStep = 10
const mostFaults = 5

/** `index` is the position of the call in its answer. */
async function planCall(
  { toolName, toolCallId: callId, input: text }: LanguageModelV3ToolCall,
  index: number,
  execution: Pick<Execution, 'tools' | 'approvalTools' | 'functions' | 'toolChoice' | 'calls'>,
): Promise<Plan> {
  const { tools, functions, approvalTools, toolChoice, calls } = execution
  const written = parseArguments(text)
  const refuse = (error: string): Plan => ({ kind: 'answer', input: written ?? text, error, approval: null })
  if (index >= mostCallsPerStep) {
    return refuse(`At most ${mostCallsPerStep} tool calls are carried out in one step`)
  }
  if (toolChoice === 'none') return refuse('In this run no tools are called: answer without them')
  const called = [...tools, ...functions].find(({ name }) => name === toolName)
  if (called === undefined) {
    const names = [...tools, ...functions].map(({ name }) => name).join(', ')
    return refuse(`There is no tool ${toolName}; there is ${names || 'none'}`)
  }
  if (written === undefined) return refuse('The arguments are not valid JSON')
  const stored = calls.find(callId)
  const isFunction = 'inputSchema' in called
  const { faults, input } = await fitting(called, written)
  if (stored?.result != null) return { kind: 'sent', input, result: stored.result }
  if (faults.length > 0) return refuse(`The arguments do not fit: ${inWords(faults)}`)
  if (isFunction) return { kind: 'wait', pending: { callId, name: toolName, input, awaits: 'result' } }
  const approval = stored?.approval ?? null
  if (approval?.decision === 'reject') {
    return { kind: 'answer', input, error: rejected(approval.reason), approval }
  }
  const waits = needsApproval(called, { approvalTools }) || (called.callNeedsApproval?.(input) ?? false)
  if (waits && approval === null) {
    return { kind: 'wait', pending: { callId, name: toolName, input, awaits: 'approval' } }
  }
  const isSafeToRepeat = called.safeToRepeat || (called.isSafeToRepeat?.(input) ?? false)
  const wasBegun = (stored?.startedAt ?? null) !== null
  if (!isSafeToRepeat && wasBegun) return { kind: 'answer', input, error: inDoubt, approval }
  return { kind: 'run', input, tool: called, isSafeToRepeat, approval }
}

/** The arguments as they were written, or in the types that the schema names if they fit only then. */
async function fitting(
  called: Tool | RunFunction,
  written: unknown,
): Promise<{ faults: FieldError[]; input: unknown }> {
  const check = async (input: unknown) =>
    (await called.check?.(input)) ??
    ('inputSchema' in called ? [] : faultsIn(called.input, input, 'arguments'))
  const faults = await check(written)
  if (faults.length === 0) return { faults, input: written }
  const input = coerced('inputSchema' in called ? called.inputSchema : called.input, written)
  const isOther = JSON.stringify(input) !== JSON.stringify(written)
  return isOther && (await check(input)).length === 0 ? { faults: [], input } : { faults, input: written }
}

/** Whether every call of the tool waits for an approval. */
export const needsApproval = (tool: Tool, { approvalTools }: Pick<Execution, 'approvalTools'>): boolean =>
  tool.needsApproval || approvalTools.includes(tool.name)

const inWords = (faults: readonly FieldError[]): string =>
  faults
    .slice(0, mostFaults)
    .map(({ field, message }) => `${field} ${message}`)
    .join('; ')

const rejected = (reason: string | null): string =>
  `A person has rejected this call, and it was not carried out${reason === null ? '' : `: ${reason}`}`

const inDoubt =
  'The server was interrupted while this call was in progress: it may or may not have been carried out. It was not ' +
  'made again, for that could do it twice. Find out whether it happened before you make it again.'
