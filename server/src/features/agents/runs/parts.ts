/** Runs within runs: an agent that another one calls answers in a run of its own, worked on within the caller's job. */
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { NewId } from '../../../platform/ids.ts'
import { type AgentAnswer, AnswerLater, type Tool, ToolError } from '../../../platform/tool.ts'
import type { AuditService } from '../../audit/service.ts'
import { newConversation } from '../conversations/branching.ts'
import { findAgent } from '../definitions/agent-store.ts'
import { type RevisionToRun, revisionToRun } from '../definitions/agent-to-run.ts'
import { citedPassages } from '../execution/cited-passages.ts'
import { findPart } from '../records/kept-calls-store.ts'
import { findRunOfJob, insertRun, type RunRow, stepsOf } from '../records/run-store.ts'
import { fromRow, type Step, spentOf, usageOf } from '../records/steps.ts'
import { insertShownToCaller, insertShownToPart } from '../records/traces-store.ts'
import { newRunRow } from './run-start.ts'
import { checkTools } from './start-check.ts'
import type { TakeRun } from './take-run.ts'
import type { Calling, CallPart, WorkOnRun } from './work.ts'

/** A run, one within it, and one within that. */
const mostDepth = 3

export const createCallPart =
  (dependencies: {
    database: Database
    clock: Clock
    newId: NewId
    audit: Pick<AuditService, 'record'>
    tools: readonly Tool[]
    take: TakeRun
  }) =>
  (work: WorkOnRun): CallPart => {
    const { database, take } = dependencies
    return calling => ({
      async list() {
        const { scope } = calling.caller()
        const found = await Promise.all(calling.agentIds.map(id => findAgent(scope, database.read, id)))
        return found
          .filter(agent => agent !== undefined)
          .map(({ id, name, description }) => ({ id, name, description }))
      },
      async call({ agentId, prompt, toolCallId }) {
        const { run, hold } = calling
        const part =
          (await findPart(database.read, run.id, toolCallId)) ??
          (await begin(dependencies, calling, { agentId, prompt, toolCallId }))
        const taken = await take({ payload: { runId: part.id, goesOn: false }, write: hold.write })
        if (taken !== null) {
          const end = await work({ ...taken, goesOn: false }, { ...hold, complete: hold.write })
          if (end === 'waits') throw new AnswerLater()
        }
        await hold.write(tx => insertShownToPart(tx, part.id, run.id))
        return await answerOf(database, part.id)
      },
    })
  }

async function begin(
  dependencies: Parameters<typeof createCallPart>[0],
  { run, steps, agentIds, caller: currentCaller, hold }: Calling,
  { agentId, prompt, toolCallId }: { agentId: string; prompt: string; toolCallId: string },
): Promise<RunRow> {
  const { database, clock, newId, audit, tools } = dependencies
  if (!agentIds.includes(agentId)) {
    throw new ToolError(
      `The agent ${agentId} cannot be called; of those that can, there is ${agentIds.join(', ') || 'none'}`,
    )
  }
  checkDepth(await ancestorsOf(database, run), agentId)
  const caller = currentCaller()
  const remainingMs = Math.max(1, (run.started_at ?? clock()) + run.timeout_ms + run.waited_ms - clock())
  return await hold.write(async tx => {
    const agent = await findAgent(caller.scope, tx, agentId)
    if (agent === undefined) throw new ToolError(`There is no agent ${agentId}`)
    if (agent.status === 'paused') throw new ToolError(`The agent ${agent.name} is paused`)
    const toRun = await revisionToRun(caller.scope, tx, agent)
    checkTools(caller, toRun, tools)
    const now = clock()
    const endUser = run.end_user_id === null ? {} : { endUserId: run.end_user_id }
    const wanted = { prompt, ...endUser }
    const conversation = newConversation(
      caller.scope,
      { agentId, endUserId: run.end_user_id, prompt },
      { id: newId('conversation'), now },
    )
    checkVariablesOfPart(agent.name, toRun)
    const ownRow = newRunRow(caller, agent, toRun, wanted)
    const ownMs = toRun.content.limits.timeoutSeconds === null ? remainingMs : ownRow.timeout_ms
    const row: RunRow = {
      ...ownRow,
      id: newId('run'),
      rerun_of: null,
      wanted_model: null,
      conversation_id: conversation.id,
      turn: 1,
      status: 'queued',
      job_id: hold.jobId,
      created_at: now,
      started_at: null,
      parent_run_id: run.id,
      parent_call_id: toolCallId,
      root_run_id: run.root_run_id ?? run.id,
      max_cost_usd: lesser(ownRow.max_cost_usd, remainingCost(run, steps)),
      timeout_ms: Math.min(ownMs, remainingMs),
    }
    await insertRun(caller.scope, tx, row, { ...conversation, run_count: 1 })
    await insertShownToCaller(tx, run, row.id)
    await audit.record(tx, caller, {
      action: 'run.create',
      resourceId: row.id,
      details: { agentId, parentRunId: run.id },
    })
    return row
  })
}

/** An agent that another agent calls gets no values for its variables, so each variable needs a default. */
function checkVariablesOfPart(name: string, { content }: RevisionToRun): void {
  const missing = Object.keys(content.variables).filter(variable => content.variables[variable] === null)
  if (missing.length === 0) return
  throw new ToolError(`The agent ${name} cannot be called: its variables ${missing.join(', ')} have no value`)
}

const lesser = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** The run and those above it, itself first. */
async function ancestorsOf(database: Database, run: RunRow): Promise<RunRow[]> {
  const ancestors = [run]
  for (let above = run.parent_run_id; above !== null && ancestors.length < mostDepth; ) {
    const parent = await findRunOfJob(database.read, above)
    if (parent === undefined) break
    ancestors.push(parent)
    above = parent.parent_run_id
  }
  return ancestors
}

function checkDepth(ancestors: readonly RunRow[], agentId: string): void {
  if (ancestors.some(({ agent_id: id }) => id === agentId)) {
    throw new ToolError(
      `The agent ${agentId} is at work on this already: agents cannot call each other in a circle`,
    )
  }
  if (ancestors.length >= mostDepth) {
    throw new ToolError(`Agents call agents at most ${mostDepth} levels deep; answer without another one`)
  }
}

/** What is left of the calling run's limit, so that a part cannot cost more. */
function remainingCost(run: RunRow, steps: readonly Step[]): number | null {
  if (run.max_cost_usd === null) return null
  const left = run.max_cost_usd - (spentOf(steps) ?? 0)
  if (left <= 0) throw new ToolError('The run has cost what it may cost; no other agent can be called')
  return left
}

async function answerOf(database: Database, id: string): Promise<AgentAnswer> {
  const run = await findRunOfJob(database.read, id)
  const steps = (await stepsOf(database.read, [id])).map(fromRow)
  const { inputTokens, outputTokens } = usageOf(steps)
  const spent = { inputTokens, outputTokens, costUsd: spentOf(steps) }
  if (run?.status !== 'succeeded') {
    const why = run?.status === 'cancelled' ? 'it was cancelled' : `${run?.error_code}: ${run?.error_message}`
    throw new ToolError(`The agent's run ${id} gave no answer: ${why}`, { spent })
  }
  return { runId: id, ...citedPassages(run.output ?? '', steps), spent }
}
