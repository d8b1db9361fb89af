/** Carries out the tool calls of one answer, at the same time; what goes wrong is told to the model. */

import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Clock } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { Log } from '../../../platform/log.ts'
import {
  AnswerLater,
  type Spent,
  ToolError,
  type ToolResult,
  type UsedConnection,
} from '../../../platform/tool.ts'
import type { PendingCall } from '../records/approval.ts'
import { passagesOf, type ToolStep } from '../records/steps.ts'
import { add } from './add-step.ts'
import type { Execution, KeptCall } from './execution.ts'
import { type Plan, planCall } from './plan-call.ts'
import { boundResult, createNumbering } from './tool-result.ts'

export type CalledTools = {
  /** The answers, in the order of the calls; each is a step of the execution already. */
  results: ToolStep[]
  /** Calls that wait for an approval; null where none of the calls has to wait for anything. */
  waiting: PendingCall[] | null
}

export type CallTools = (
  calls: readonly LanguageModelV3ToolCall[],
  execution: Execution,
) => Promise<CalledTools>

/** Throws only the reason of the signal, once that is aborted and every call has come to its end. */
export function createCallTools(dependencies: { clock: Clock; log: Log; faults: Faults }): CallTools {
  const { clock, log, faults } = dependencies

  return async (calls, execution) => {
    const { steps, context } = execution
    const planned = calls.map((call, place) => ({ call, plan: planCall(call, place, execution) }))
    const pending = planned.flatMap(({ plan }) => (plan.kind === 'wait' ? [plan.pending] : []))
    const now = planned.filter(({ plan }) => plan.kind !== 'wait')
    announce(now, execution)
    const mayBegin = keepBefore(now, execution)
    const number = createNumbering(passagesOf(steps))
    const attempts = now.map(({ call, plan }) => attempt(call, plan, mayBegin, execution))
    const results: ToolStep[] = []
    let isLater = false
    let failure: { reason: unknown } | null = null
    // In the order of the calls, so that passages have the same numbers whichever came first.
    for (const settled of attempts) {
      try {
        const outcome = await settled
        if (outcome === 'later') isLater = true
        else {
          const step = stepOf(outcome, number)
          results.push(step)
          add(step, execution)
          if (!outcome.isSafeToRepeat) keepSoon(execution)
        }
      } catch (reason) {
        failure ??= { reason }
      }
    }
    if (failure !== null) throw failure.reason
    // What was asked is kept before more is asked: the answer would be another one.
    await mayBegin
    context.signal.throwIfAborted()
    return { results, waiting: isLater || pending.length > 0 ? pending : null }
  }

  async function attempt(
    call: LanguageModelV3ToolCall,
    plan: Plan,
    mayBegin: Promise<void>,
    { context }: Execution,
  ): Promise<Outcome | 'later'> {
    const startedAt = clock()
    const begun = performance.now()
    const outcome = (answer: Pick<Outcome, 'result' | 'error' | 'spent' | 'connections'>): Outcome => ({
      call,
      input: plan.kind === 'wait' ? plan.pending.input : plan.input,
      kept: plan.kind === 'wait' ? undefined : plan.kept,
      isSafeToRepeat: plan.kind !== 'run' || plan.isSafeToRepeat,
      startedAt,
      durationMs: Math.round(performance.now() - begun),
      ...answer,
    })
    if (plan.kind !== 'run') return outcome({ error: plan.kind === 'answer' ? plan.error : '' })
    if (!plan.isSafeToRepeat) await mayBegin
    try {
      context.signal.throwIfAborted()
      faults.reach(plan.isSafeToRepeat ? 'run.before-safe-tool' : 'run.before-unsafe-tool')
      const result = await plan.tool.run(context, plan.input, call.toolCallId)
      faults.reach(plan.isSafeToRepeat ? 'run.after-safe-tool' : 'run.after-unsafe-tool')
      return outcome({ result })
    } catch (failure) {
      if (failure instanceof AnswerLater) return 'later'
      context.signal.throwIfAborted()
      if (failure instanceof ToolError) {
        const { message, spent, connections } = failure
        return outcome({ error: message, connections, spent: spent ? spent : undefined })
      }
      if (failure instanceof ServiceError && failure.statusCode < 500)
        return outcome({ error: failure.message })
      log.error('A tool failed', { tool: plan.tool.name, error: failure })
      return outcome({ error: 'The tool failed' })
    }
  }
}

type Outcome = {
  call: LanguageModelV3ToolCall
  input: unknown
  kept: KeptCall | undefined
  isSafeToRepeat: boolean
  startedAt: number
  durationMs: number
  result?: ToolResult
  error?: string
  spent?: Spent | undefined
  connections?: UsedConnection[]
}

type Planned = { call: LanguageModelV3ToolCall; plan: Plan }

function announce(now: readonly Planned[], { steps, events }: Execution): void {
  for (const [place, { call, plan }] of now.entries()) {
    events.emit('step.started', {
      stepIndex: steps.length + place,
      stepType: 'tool',
      name: call.toolName,
      toolCallId: call.toolCallId,
      input: plan.kind === 'wait' ? plan.pending.input : plan.input,
    })
  }
}

/**
 * Stores the answer that called the tools while they run. Resolves once the calls that are not safe to repeat are
 * stored as begun, so that the next worker that takes up the run knows of them.
 */
function keepBefore(now: readonly Planned[], { record, calls }: Execution): Promise<void> {
  const unsafe = now.flatMap(({ call: { toolCallId: callId, toolName: name }, plan }) =>
    plan.kind === 'run' && !plan.isSafeToRepeat ? [{ callId, name, input: plan.input }] : [],
  )
  const kept = record().then(() => (unsafe.length === 0 ? undefined : calls.begin(unsafe)))
  // Where nothing waits for it, what was not kept now is kept with the next steps.
  kept.catch(() => undefined)
  return kept
}

/** What it did cannot be found out a second time. */
const keepSoon = ({ record }: Execution): void => void record().catch(() => undefined)

function stepOf(outcome: Outcome, number: ReturnType<typeof createNumbering>): ToolStep {
  const { call, input, kept, result, error, startedAt, durationMs } = outcome
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
      approval: kept === undefined || kept.approval === null ? undefined : kept.approval,
      error: error === undefined ? undefined : { message: error },
    }),
  }
}
