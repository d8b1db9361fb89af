/** Decides about a call: carry it out, wait for an approval or a result, or answer it at once. */
import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import type { FieldError } from '../../../platform/errors.ts'
import { faultsIn } from '../../../platform/json-schema/own-schema.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { Approval, SentResult, WaitingCall } from '../records/steps.ts'
import type { Execution } from './execution.ts'
import { parseArguments } from './prompt.ts'

export type Plan =
  | { kind: 'answer'; input: unknown; error: string; approval: Approval | null }
  | { kind: 'wait'; pending: WaitingCall }
  | { kind: 'sent'; input: unknown; result: SentResult }
  | { kind: 'run'; input: unknown; tool: Tool; isSafeToRepeat: boolean; approval: Approval | null }

const mostCallsPerStep = 10
const mostFaults = 5

/** `index` is that of the call in its answer. */
export async function planCall(
  { toolName, toolCallId: callId, input: text }: LanguageModelV3ToolCall,
  index: number,
  execution: Pick<Execution, 'tools' | 'approvalTools' | 'functions' | 'toolChoice' | 'calls'>,
): Promise<Plan> {
  const { tools, functions, approvalTools, toolChoice, calls } = execution
  const input = parseArguments(text)
  const refuse = (error: string): Plan => ({ kind: 'answer', input: input ?? text, error, approval: null })
  if (index >= mostCallsPerStep) {
    return refuse(`At most ${mostCallsPerStep} tool calls are carried out in one step`)
  }
  if (toolChoice === 'none') return refuse('In this run no tools are called: answer without them')
  const called = [...tools, ...functions].find(({ name }) => name === toolName)
  if (called === undefined) {
    const names = [...tools, ...functions].map(({ name }) => name).join(', ')
    return refuse(`There is no tool ${toolName}; there is ${names || 'none'}`)
  }
  if (input === undefined) return refuse('The arguments are not valid JSON')
  const stored = calls.find(callId)
  if (stored?.result != null) return { kind: 'sent', input, result: stored.result }
  const isFunction = 'inputSchema' in called
  const faults =
    (await called.check?.(input)) ?? (isFunction ? [] : faultsIn(called.input, input, 'arguments'))
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

/** Whether every call of the tool waits. */
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
