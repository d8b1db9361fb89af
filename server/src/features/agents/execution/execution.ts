/** What a run's loop is given, and what it answers. */
import type { Tx } from '../../../platform/database/database.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import type { Tool, ToolContext } from '../../../platform/tool.ts'
import type { RunLog } from '../events/run-log.ts'
import type { Images } from '../inputs/attachments.ts'
import type { ResponseSchema } from '../inputs/structured-output.ts'
import type { PastTurn } from '../inputs/window.ts'
import type { Approval, PendingCall } from '../records/approval.ts'
import type { Citation } from '../records/run-schemas.ts'
import type { Step } from '../records/steps.ts'

export type Execution = {
  instructions: string
  prompt: string
  history: readonly PastTurn[]
  model: ResolvedModel
  /** What the run goes on with where the model fails; null for none. */
  fallback: ResolvedModel | null
  tools: readonly Tool[]
  /** Those of the tools whose calls wait for an approval, besides those that always do. */
  approvalTools: readonly string[]
  /** What is kept of calls besides their answers. */
  calls: KeptCalls
  maxSteps: number
  maxCostUsd: number | null
  /** Of one call; null leaves it to the model. */
  maxOutputTokens: number | null
  /** Throws `RunFailure` where a month's budget does not allow another call of a model; given the run's own cost. */
  checkBudget: (ownCostUsd: number | null) => Promise<void>
  /** What the answer has to fit; null for an answer in text. */
  responseSchema: ResponseSchema | null
  /** Those that were attached to the prompt. */
  images: Images
  context: ToolContext
  /** The steps so far; those of a run that is taken up again are there already, and each new one is added. */
  steps: Step[]
  /** Keeps the steps and events so far; they stay where they are until it has. */
  record: (also?: (tx: Tx) => Promise<unknown>) => Promise<void>
  events: ExecutionEvents
}

/** Where the executor says what happens. */
export type ExecutionEvents = Pick<RunLog, 'emit' | 'write'>

export type Answer = {
  output: string
  /** Null where no schema was given. */
  structuredOutput: unknown
  citations: Citation[]
}

/** The run goes on once these calls are decided, and what its calls wait for has come. */
export type Pause = { waitsFor: readonly PendingCall[] }

export type Execute = (execution: Execution) => Promise<Answer | Pause>

export type KeptCall = {
  callId: string
  approval: Approval | null
  /** When it was begun, where it is not safe to repeat. */
  startedAt: number | null
}

export type KeptCalls = {
  find(callId: string): KeptCall | undefined
  /** Resolves once it is kept for good that these calls begin. */
  begin(calls: readonly PendingCall[]): Promise<void>
}
