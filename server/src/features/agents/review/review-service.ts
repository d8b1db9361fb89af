/** The operations on a run after its end: feedback, rerun, and comparison with another run. */

import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { StoredFeedback } from '../../../platform/database/schema/agents.ts'
import { forbidden, found, invalidField, ServiceError } from '../../../platform/errors.ts'
import { noParameters, type ParameterName, parameterNames } from '../../../platform/models/parameters.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import { decodeContent, type ReachedContents, revisionToRun } from '../definitions/agent-content.ts'
import { type AgentLimits, noLimits, usualParameters } from '../definitions/agent-fields.ts'
import type { FieldChange } from '../definitions/agent-schemas.ts'
import { type AgentRow, findAgent, findRevision } from '../definitions/agent-store.ts'
import { fieldChanges } from '../definitions/revision-service.ts'
import type { RunInput } from '../inputs/messages.ts'
import type { NewFeedback } from '../records/answer-schemas.ts'
import { messagesOf } from '../records/message-schemas.ts'
import { requireChange } from '../records/ownership.ts'
import { shownNarrowing } from '../records/run-callers.ts'
import { runInProgress } from '../records/run-errors.ts'
import {
  presentMessages,
  presentRun,
  type RunRecord,
  recordOf,
  revisionOfRun,
} from '../records/run-records.ts'
import type { Citation, NewRun, Run } from '../records/run-schemas.ts'
import { findRun, noFeedback, type RunRow, stepsOf, updateFeedback } from '../records/run-store.ts'
import { lesser, type Start } from '../runs/run-start.ts'
import type { ComparedRun, Rerun, RunComparison } from './review-schemas.ts'

export type ReviewService = ReturnType<typeof createReviewService>

type Dependencies = Pick<Platform, 'database' | 'clock'> & {
  audit: AuditService
  models: Pick<WorkspaceModels, 'check'>
  reachedContents: ReachedContents
}

export function createReviewService(dependencies: Dependencies) {
  const { database, models, reachedContents } = dependencies
  const { read } = database

  async function checkModel(caller: Caller, model: string): Promise<void> {
    if (!caller.permissions.has('agents:write')) {
      const message = 'To choose the model of a run the key needs the permission agents:write'
      throw forbidden('permission', message, { permission: 'agents:write' })
    }
    const fault = await models.check(caller.scope, model)
    if (fault !== null) throw invalidField('model', fault)
  }

  async function findRecord({ scope }: Caller, id: string): Promise<RunRecord | undefined> {
    const row = await findRun(scope, read, id)
    return row === undefined ? undefined : await recordOf(read, row)
  }

  /** The parameters that the run's request set. The others are the agent's, so another revision uses its own. */
  async function requestedParameters(
    { scope }: Caller,
    run: RunRow,
  ): Promise<NonNullable<NewRun['modelParameters']>> {
    const revision = await findRevision(scope, read, run.agent_id, run.agent_revision)
    const own = revision === undefined ? usualParameters : decodeContent(revision.content).modelParameters
    const used = { ...noParameters, ...decodeJson(run.model_parameters) }
    const isLeftOut = (name: ParameterName) =>
      own.lenient && isDeepStrictEqual(used[name], noParameters[name])
    const requested = parameterNames.filter(
      name => !isDeepStrictEqual(used[name], own[name]) && !isLeftOut(name),
    )
    return Object.fromEntries(requested.map(name => [name, used[name]]))
  }

  /** The agent's content for the run, as far as the caller reaches it. Every run's revision is kept. */
  async function contentOf({ scope }: Caller, { row }: RunRecord): Promise<object> {
    const revision = await findRevision(scope, read, row.agent_id, row.agent_revision)
    const contents = revision === undefined ? [] : [decodeContent(revision.content)]
    const [content = {}] = await reachedContents(scope, contents)
    return content
  }

  return {
    ...createFeedback(dependencies),

    /**
     * Returns the run's inputs, with the agent, revision and model for the rerun. Throws `agent_deleted` if the agent
     * is deleted, and a 400 that names `model` if there is no such model.
     */
    async prepareRerun(
      caller: Caller,
      runId: string,
      { revision = 'published', model }: Rerun,
    ): Promise<Start> {
      const run = found(await findRun(caller.scope, read, runId))
      requireChange(caller, run)
      const agent = await findAgent(caller.scope, read, run.agent_id)
      if (agent === undefined)
        throw new ServiceError('agent_deleted', 'The agent of the run has been deleted', {
          details: { agentId: run.agent_id },
        })
      if (model !== undefined) await checkModel(caller, model)
      const toRun = await revisionToRun(caller.scope, read, agent, numberOf(revision, run, agent))
      return {
        agentId: agent.id,
        newRun: {
          ...inputsOf(run, toRun.content.limits),
          modelParameters: await requestedParameters(caller, run),
          revision: toRun.revision,
        },
        repeated: { run, model: model ?? namedModel(agent, run) },
      }
    },

    /**
     * Compares a run with `otherId`, or by default with the run that it repeats. Throws a 400 that names `with` if
     * there is no such run of the same agent.
     */
    async compareRuns(caller: Caller, id: string, otherId?: string): Promise<RunComparison> {
      const one = found(await findRecord(caller, id))
      const comparedId = otherId ?? one.row.rerun_of
      if (comparedId === null) throw invalidField('with', 'is needed: this run repeats no other')
      const other = await findRecord(caller, comparedId)
      if (other?.row.agent_id !== one.row.agent_id) {
        throw invalidField('with', 'There is no run with this id of the same agent')
      }
      return {
        ...compare(presentRun(one, caller.scope), presentRun(other, caller.scope)),
        inputs: inputChanges(one.row, other.row, caller.scope),
        agent: fieldChanges(await contentOf(caller, one), await contentOf(caller, other)),
      }
    },
  }
}

/** Feedback of the workspace and feedback of the end user: each replaces only its own. */
const createFeedback = ({ database, clock, audit }: Dependencies) => ({
  /**
   * Replaces earlier feedback. A page replaces only its own, and the workspace's feedback takes precedence over it.
   * Throws `run_in_progress` if the run has not ended.
   */
  giveFeedback: (caller: Caller, runId: string, { rating, comment, endUserId }: NewFeedback): Promise<void> =>
    database.write(async tx => {
      const run = found(await findRun(caller.scope, tx, runId))
      requireChange(caller, run)
      if (run.finished_at === null) throw runInProgress(run)
      const isPage = caller.scope.endUser !== undefined
      const giver = isPage ? run.end_user_id : (endUserId ?? null)
      const said = { rating, comment: comment ?? null, at: clock() }
      const isOfEndUser = giver !== null && giver === run.end_user_id
      const isInFront = !isPage || run.feedback_rating === null || isOfEndUserInFront(run)
      const front = isInFront ? frontOf(said, giver) : {}
      const own = isOfEndUser ? { end_user_feedback: encodeJson(said) } : {}
      await updateFeedback(caller.scope, tx, runId, { ...front, ...own })
      await audit.record(tx, caller, { action: 'run.feedback', resourceId: runId, details: { rating } })
    }),

  /**
   * Returns whether there was any feedback to remove. A page removes its own. Once the workspace's feedback is
   * removed, the end user's is shown again. `ifMatch` is the etag of the run.
   */
  removeFeedback: (
    caller: Caller,
    runId: string,
    { ifMatch, dryRun }: { ifMatch: string | null; dryRun: boolean },
  ): Promise<boolean> =>
    database.write(async tx => {
      const run = found(await findRun(caller.scope, tx, runId))
      requireChange(caller, run)
      checkRevision(ifMatch, revisionOfRun({ row: run, steps: await stepsOf(tx, [runId]) }))
      const isPage = caller.scope.endUser !== undefined
      const isThere = (isPage ? run.end_user_feedback : run.feedback_rating) !== null
      if (dryRun) return isThere
      if (isThere) await updateFeedback(caller.scope, tx, runId, withoutFeedback(run, isPage))
      await audit.record(tx, caller, { action: 'run.feedback_delete', resourceId: runId })
      return isThere
    }),
})

const isOfEndUserInFront = (run: RunRow): boolean =>
  run.feedback_end_user_id !== null && run.feedback_end_user_id === run.end_user_id

const frontOf = ({ rating, comment, at }: StoredFeedback, endUserId: string | null) => ({
  feedback_rating: rating,
  feedback_comment: comment,
  feedback_end_user_id: endUserId,
  feedback_at: at,
})

function withoutFeedback(run: RunRow, isPage: boolean) {
  if (isOfEndUserInFront(run)) return noFeedback
  if (isPage) return { end_user_feedback: null }
  const said = run.end_user_feedback === null ? null : decodeJson(run.end_user_feedback)
  return said === null ? noFeedback : frontOf(said, run.end_user_id)
}

/** The model that the run's request named, if the agent serves models; null for other agents. */
const namedModel = (agent: Pick<AgentRow, 'serves_models'>, run: RunRow): string | null =>
  agent.serves_models === 1 ? run.wanted_model : null

/**
 * All inputs except the conversation, the revision and the narrowing. The limits are those of the run, even if the
 * request gave none. A lower limit of `most` replaces the run's: a rerun's request has no limits that could be changed.
 */
const inputsOf = (
  row: RunRow,
  most: AgentLimits = noLimits,
): Omit<RunInput, 'conversationId' | 'revision' | 'collectionIds' | 'filter'> =>
  withoutUndefined({
    prompt: row.prompt,
    messages: messagesOf(row) ?? undefined,
    endUserId: row.end_user_id ?? undefined,
    metadata: decodeJson(row.metadata),
    responseSchema: row.response_schema === null ? undefined : decodeJson(row.response_schema),
    functions: decodeJson(row.functions),
    toolChoice: row.tool_choice === null ? undefined : decodeJson(row.tool_choice),
    attachments: decodeJson(row.attachments),
    variables: decodeJson(row.variables),
    limits: withoutUndefined<NonNullable<NewRun['limits']>>({
      maxSteps: lesser(row.max_steps, most.maxSteps) ?? undefined,
      timeoutSeconds: lesser(row.timeout_ms / secondMs, most.timeoutSeconds) ?? undefined,
      maxCostUsd: lesser(row.max_cost_usd, most.maxCostUsd) ?? undefined,
      maxOutputTokens: lesser(row.max_output_tokens, most.maxOutputTokens) ?? undefined,
    }),
    modelParameters: { ...noParameters, ...decodeJson(row.model_parameters) },
  })

/** Different images count as a change, but their bytes are not shown, as in runs. */
const inputChanges = (one: RunRow, other: RunRow, scope: Scope): FieldChange[] =>
  fieldChanges(
    { ...inputsOf(one), ...shownNarrowing(one, scope) },
    { ...inputsOf(other), ...shownNarrowing(other, scope) },
  ).map(change =>
    change.field === 'messages'
      ? { ...change, before: presentMessages(one), after: presentMessages(other) }
      : change,
  )

function numberOf(revision: NonNullable<Rerun['revision']>, run: RunRow, agent: AgentRow): number {
  if (typeof revision === 'number') return revision
  return { published: agent.published_revision, same: run.agent_revision, latest: agent.revision }[revision]
}

function compare(run: Run, other: Run): Omit<RunComparison, 'inputs' | 'agent'> {
  const removed = citedOnlyBy(run, other)
  return {
    run: sideOf(run),
    other: sideOf(other),
    isSameOutput: run.output === other.output,
    citations: {
      added: citedOnlyBy(other, run),
      removed,
      keptCount: new Set(run.citations.map(positionOf)).size - new Set(removed.map(positionOf)).size,
    },
    differences: {
      steps: other.steps.length - run.steps.length,
      inputTokens: other.usage.inputTokens - run.usage.inputTokens,
      outputTokens: other.usage.outputTokens - run.usage.outputTokens,
      costUsd: growth(run.usage.costUsd, other.usage.costUsd),
      durationMs: growth(run.durationMs, other.durationMs),
    },
  }
}

function sideOf(run: Run): ComparedRun {
  const { id, rerunOf, agentRevision, model, status, output, structuredOutput } = run
  const { error, usage, durationMs, createdAt, feedback } = run
  const steps = run.steps.map(({ type, name, durationMs }) => ({ type, name, durationMs }))
  const identity = { id, rerunOf, agentRevision, model, createdAt }
  return { ...identity, status, output, structuredOutput, error, usage, durationMs, feedback, steps }
}

function citedOnlyBy(one: Run, other: Run): Citation[] {
  const positions = new Set(other.citations.map(positionOf))
  return one.citations.filter(citation => !positions.has(positionOf(citation)))
}

const positionOf = ({ documentId, documentVersion, startOffset, endOffset }: Citation): string =>
  [documentId, documentVersion, startOffset, endOffset].join(' ')

const growth = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : after - before
