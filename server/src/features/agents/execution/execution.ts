/** What a run's loop works on, and what it returns. */
import type { Tx } from '../../../platform/database/database.ts'
import type { CallModel } from '../../../platform/models/call.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import type { ModelParameters } from '../../../platform/models/parameters.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Tool, ToolContext } from '../../../platform/tool.ts'
import type { AgentFunction } from '../definitions/functions.ts'
import type { RunLog } from '../events/run-log.ts'
import type { Images } from '../inputs/attachments.ts'
import type { CheckValue, ResponseSchema } from '../inputs/structured-output.ts'
import type { PastTurn } from '../inputs/window.ts'
import type { Message } from '../records/message-schemas.ts'
import type { Citation, ToolChoice } from '../records/run-schemas.ts'
import {
  type Approval,
  type PendingCall,
  presentStep,
  type SentResult,
  type Step,
  type WaitingCall,
} from '../records/steps.ts'

export type ExecutionDependencies = Pick<Platform, 'clock' | 'log'> & {
  callModel: CallModel
}

/** A function of the caller's program; `check` finds what does not fit its schema. */
export type RunFunction = AgentFunction & { check: CheckValue }

export type Execution = {
  instructions: string
  /** Whether the model reads what the request said and nothing else. */
  isBare: boolean
  /** The messages that the run was given, including the prompt. */
  messages: readonly Message[]
  history: readonly PastTurn[]
  model: ResolvedModel
  /** The model that takes over when `model` fails; null for none. */
  fallback: ResolvedModel | null
  tools: readonly Tool[]
  /** The names of tools whose calls wait for an approval, besides the tools that always need one. */
  approvalTools: readonly string[]
  functions: readonly RunFunction[]
  toolChoice: ToolChoice
  calls: StoredCalls
  maxSteps: number
  maxCostUsd: number | null
  /** The limit of one call; null lets the model decide. */
  maxOutputTokens: number | null
  parameters: ModelParameters
  /** Throws `RunFailure` if a budget or browser token allows no further model call. Takes the run's own cost. */
  checkBudget: (ownCostUsd: number | null) => Promise<void>
  /** The schema that the answer has to fit; null for an answer in text. */
  responseSchema: ResponseSchema | null
  /** Images that were attached to the prompt. */
  images: Images
  context: ToolContext
  /** The steps so far, also those from before the run was taken up again. Each new step is added. */
  steps: Step[]
  /** Stores the steps and events so far, and what `also` changes. */
  record: (also?: (tx: Tx) => Promise<unknown>) => Promise<void>
  events: Pick<RunLog, 'emit' | 'write'>
}

export type Answer = {
  output: string
  /** Null if no schema was given. */
  structuredOutput: unknown
  citations: Citation[]
}

/** The run continues once these calls are decided or answered, and its parts no longer wait. */
export type Pause = { waitsFor: readonly WaitingCall[] }

export type StoredCall = {
  approval: Approval | null
  result: SentResult | null
  /** When a call that is not safe to repeat began; otherwise null. */
  startedAt: number | null
}

/** Calls that waited for an approval or a result, or that must not be repeated. */
export type StoredCalls = {
  find(callId: string): StoredCall | undefined
  /** Resolves once these calls are stored as begun. */
  begin(calls: readonly PendingCall[]): Promise<void>
}

/** Adds a step to the run, and tells its followers. */
export function addStep(step: Step, { steps, events }: Pick<Execution, 'steps' | 'events'>): void {
  const stepIndex = steps.length
  steps.push(step)
  events.emit('step.finished', { stepIndex, step: presentStep(step) }, { stepIndex })
}
