/** What a page with a browser token sees of a run: what was said and found, but not how the agent is made. */
import type { EndUser } from '../../../platform/caller.ts'
import { noParameters } from '../../../platform/models/parameters.ts'
import type { ListedRun } from './run-schemas.ts'
import type { RunStep } from './step-schemas.ts'

/**
 * Leaves out what the server gave the run (metadata, variables, narrowing), what tools were asked, what they returned
 * besides passages, and the cost. Also leaves out the words of errors, which may be a provider's or name a budget.
 * Each field is named, so that a new field is hidden until somebody decides to show it.
 */
export const runForPage = (run: ListedRun, { functions }: EndUser): ListedRun => ({
  id: run.id,
  agentId: run.agentId,
  agentRevision: run.agentRevision,
  conversationId: run.conversationId,
  ownerId: null,
  endUserId: run.endUserId,
  status: run.status,
  behind: run.behind,
  pendingApprovals: run.pendingApprovals.map(call => ({ ...call, input: {} })),
  pendingToolCalls: run.pendingToolCalls.filter(
    ({ runId, name }) => runId === run.id && functions.includes(name),
  ),
  parentRunId: null,
  prompt: run.prompt,
  output: run.output,
  structuredOutput: run.structuredOutput,
  responseSchema: null,
  functions: [],
  toolChoice: 'auto',
  attachments: [],
  collectionIds: null,
  filter: null,
  variables: {},
  model: run.model,
  modelParameters: noParameters,
  usage: { ...run.usage, costUsd: null },
  error: run.error === null ? null : { ...run.error, message: `The run failed: ${run.error.code}` },
  metadata: {},
  rerunOf: null,
  startedBy: run.startedBy,
  // Only the end user's feedback is shown: other people rate answers too, and comment on them among themselves.
  feedback: run.endUserFeedback,
  endUserFeedback: run.endUserFeedback,
  createdAt: run.createdAt,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
  durationMs: run.durationMs,
})

/** Keeps the name of the model or tool, the times, the model's words, and the passages that a tool found. */
export function stepForPage(step: RunStep): RunStep {
  const { name, startedAt, durationMs } = step
  const about = { name, startedAt, durationMs }
  if (step.type === 'model') {
    const { text } = step.output
    return { type: 'model', ...about, input: {}, output: text === undefined ? {} : { text } }
  }
  const { toolCallId, output } = step
  const called = toolCallId === undefined ? about : { ...about, toolCallId }
  const { passages } = output
  return { type: 'tool', ...called, input: null, output: passages === undefined ? {} : { passages } }
}
