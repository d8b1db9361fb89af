/** What is to be done about a tool call: carry it out, wait for an approval, or answer it at once. */
import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import type { FieldError } from '../../../platform/errors.ts'
import { faultsIn } from '../../../platform/json-schema/own-schema.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { PendingCall } from '../records/approval.ts'
import type { Execution, KeptCall } from './execution.ts'
import { parseArguments } from './prompt.ts'

export type Plan =
  | { kind: 'answer'; input: unknown; error: string; kept?: KeptCall | undefined }
  | { kind: 'wait'; pending: PendingCall }
  | { kind: 'run'; input: unknown; tool: Tool; isSafeToRepeat: boolean; kept?: KeptCall | undefined }

const mostCallsPerStep = 10
const mostFaults = 5

/** `place` is that of the call in its answer. */
export function planCall(
  { toolName, toolCallId: callId, input: text }: LanguageModelV3ToolCall,
  place: number,
  { tools, approvalTools, calls }: Pick<Execution, 'tools' | 'approvalTools' | 'calls'>,
): Plan {
  const input = parseArguments(text)
  const refuse = (error: string): Plan => ({ kind: 'answer', input: input ?? text, error })
  if (place >= mostCallsPerStep) {
    return refuse(`At most ${mostCallsPerStep} tool calls are carried out in one step`)
  }
  const tool = tools.find(({ name }) => name === toolName)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ')
    return refuse(`There is no tool ${toolName}; there is ${names || 'none'}`)
  }
  if (input === undefined) return refuse('The arguments are not valid JSON')
  const faults = faultsIn(tool.input, input, 'arguments')
  if (faults.length > 0) return refuse(`The arguments do not fit: ${inWords(faults)}`)
  const kept = calls.find(callId)
  if (kept?.approval?.decision === 'reject') {
    return { kind: 'answer', input, error: rejected(kept.approval.reason), kept }
  }
  const waits = needsApproval(tool, { approvalTools }) || (tool.callNeedsApproval?.(input) ?? false)
  if (waits && (kept?.approval ?? null) === null) {
    return { kind: 'wait', pending: { callId, name: toolName, input } }
  }
  const isSafeToRepeat = tool.safeToRepeat || (tool.isSafeToRepeat?.(input) ?? false)
  if (!isSafeToRepeat && (kept?.startedAt ?? null) !== null)
    return { kind: 'answer', input, error: inDoubt, kept }
  return { kind: 'run', input, tool, isSafeToRepeat, kept }
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
  'The server was interrupted while this call was under way: it may or may not have been carried out. It was not ' +
  'made again, for that could do it twice. Find out whether it happened before you make it again.'
