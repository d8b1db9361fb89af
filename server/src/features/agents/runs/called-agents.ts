/** Runs within runs: a called agent answers in a separate run, which is worked on within the calling run's job. */
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import {
  type AgentAnswer,
  AnswerLater,
  type CallableAgents,
  type Passage,
  ToolError,
} from '../../../platform/tool.ts'
import type { Spender } from '../budgets/budgets.ts'
import { newConversation } from '../conversations/branching.ts'
import { type RevisionToRun, revisionToRun, withinReach } from '../definitions/agent-content.ts'
import { type AgentRow, findAgent } from '../definitions/agent-store.ts'
import { markerPattern } from '../records/citations.ts'
import { isClosedTo } from '../records/ownership.ts'
import { runNarrowingOf } from '../records/run-callers.ts'
import { findRunOfJob, insertRun, type RunRow, stepsOf } from '../records/run-store.ts'
import { fromRow, passagesOf, type Step, spentOf, unansweredCalls, usageOf } from '../records/steps.ts'
import { findPart } from '../records/tool-calls-store.ts'
import { insertShownToCaller, insertShownToPart } from '../records/traces-store.ts'
import { wasShownBeyond } from '../records/withheld-runs.ts'
import { callAgentTool } from '../tools/call-agent.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { checkTools, lesser, newRunRow, parametersOf } from './run-start.ts'
import { type TakenRun, takeRun } from './take-run.ts'

/** The right to work on a run: its own job, or the job of the run that it is a part of. */
export type RunLease = Pick<Job, 'signal' | 'write' | 'complete'> & { jobId: string }

/** A run that calls agents: `agentIds` are the agents that its own agent may call. */
type CallingRun = {
  run: RunRow
  steps: readonly Step[]
  agentIds: readonly string[]
  caller: () => Caller
  /** Stores the steps so far, with what they were shown. */
  record: () => Promise<void>
  /** Its signal is aborted when the calling run stops for any reason. */
  lease: RunLease
}

/** A run, a run within it, and a run within that run. */
const mostDepth = 3

/** `work` is `workOnRun`, which calls this function. */
export function callableAgents(
  dependencies: RunDependencies,
  calling: CallingRun,
  work: (dependencies: RunDependencies, taken: TakenRun, lease: RunLease) => Promise<'ended' | 'waits'>,
): CallableAgents {
  const { database } = dependencies
  const { run, lease } = calling
  return {
    async list() {
      const caller = calling.caller()
      const found = await Promise.all(calling.agentIds.map(id => findAgent(caller.scope, database.read, id)))
      return found
        .filter(agent => agent !== undefined)
        .filter(agent => !isClosedTo(caller, agent))
        .map(({ id, name, description }) => ({ id, name, description }))
    },
    async call(request) {
      const part =
        (await findPart(database.read, run.id, request.toolCallId)) ??
        (await beginPart(dependencies, calling, request))
      const payload = { runId: part.id, goesOn: false }
      const taken = await takeRun(dependencies, { payload, write: lease.write })
      if (taken !== null) {
        const end = await work(dependencies, taken, { ...lease, complete: lease.write })
        if (end === 'waits') throw new AnswerLater()
      }
      await lease.write(tx => insertShownToPart(tx, part.id, run.id))
      return await answerOf(database, part.id)
    },
  }
}

async function beginPart(
  dependencies: RunDependencies,
  { run, steps, agentIds, caller: currentCaller, record, lease }: CallingRun,
  { agentId, prompt, toolCallId }: { agentId: string; prompt: string; toolCallId: string },
): Promise<RunRow> {
  const { database, clock, newId, audit } = dependencies
  if (!agentIds.includes(agentId)) {
    throw new ToolError(
      `The agent ${agentId} cannot be called; of those that can, there is ${agentIds.join(', ') || 'none'}`,
    )
  }
  checkDepth(await ancestorsOf(database, run), agentId)
  const caller = currentCaller()
  const { scope } = caller
  const { agent, toRun } = await agentToCall(dependencies, caller, agentId)
  // The prompt may hold what the latest steps were shown, and they are stored only now and then.
  await record()
  await checkPrompt(database, run, agent, toRun)
  // The calling run would read in the answer what it must not read itself.
  const narrowing = withinReach(runNarrowingOf(run), toRun)
  const endUser = run.end_user_id === null ? {} : { endUserId: run.end_user_id }
  const ownRow = newRunRow(caller, agent, toRun, {
    newRun: { prompt, ...endUser },
    narrowing,
    parameters: parametersOf(toRun.content, {}),
  })
  const maxCostUsd = lesser(ownRow.max_cost_usd, remainingCost(run, steps, toolCallId))
  await checkPrice(dependencies, caller, toRun, { ...ownRow, name: agent.name, maxCostUsd })
  return await lease.write(async tx => {
    const now = clock()
    const conversation = newConversation(
      scope,
      { agentId, endUserId: run.end_user_id, prompt, narrowing: runNarrowingOf(run) },
      { id: newId('conversation'), now, ownerId: run.owner_id },
    )
    const remainingMs = Math.max(1, (run.started_at ?? now) + run.timeout_ms + run.waited_ms - now)
    const ownMs = toRun.content.limits.timeoutSeconds === null ? remainingMs : ownRow.timeout_ms
    const row: RunRow = {
      ...ownRow,
      id: newId('run'),
      conversation_id: conversation.id,
      owner_id: run.owner_id,
      job_id: lease.jobId,
      created_at: now,
      parent_run_id: run.id,
      parent_call_id: toolCallId,
      root_run_id: run.root_run_id ?? run.id,
      max_cost_usd: maxCostUsd,
      timeout_ms: Math.min(ownMs, remainingMs),
    }
    await insertRun(scope, tx, row, { ...conversation, run_count: 1 })
    await insertShownToCaller(tx, run, row.id)
    await audit.record(tx, caller, {
      action: 'run.create',
      resourceId: row.id,
      details: { agentId, parentRunId: run.id },
    })
    return row
  })
}

/** The agent with its published revision. Throws `ToolError` if the caller may not run the agent now. */
async function agentToCall(
  { database, tools }: RunDependencies,
  caller: Caller,
  agentId: string,
): Promise<{ agent: AgentRow; toRun: RevisionToRun }> {
  const { scope } = caller
  const agent = await findAgent(scope, database.read, agentId)
  if (agent === undefined) throw new ToolError(`There is no agent ${agentId}`)
  if (isClosedTo(caller, agent)) throw new ToolError(`Viewers may not run the agent ${agent.name}`)
  if (agent.status === 'paused') throw new ToolError(`The agent ${agent.name} is paused`)
  const toRun = await revisionToRun(scope, database.read, agent)
  checkTools(caller, toRun, tools)
  checkVariablesHaveValues(agent.name, toRun)
  return { agent, toRun }
}

/**
 * Throws `ToolError` if the prompt may hold what the writer of the called revision may not read: its instructions and
 * `httpHosts` could send that on.
 */
async function checkPrompt(
  { read }: Database,
  run: RunRow,
  { name }: AgentRow,
  { reach }: RevisionToRun,
): Promise<void> {
  if (!(await wasShownBeyond(read, [run.conversation_id], reach))) return
  throw new ToolError(
    `The agent ${name} was written by a key that does not reach all that this run was shown. Answer without it, or let an owner or admin publish that agent.`,
  )
}

/** Throws `ToolError` if the part's cost is limited but would be unknown: then the calling run's would be unknown too. */
async function checkPrice(
  { models, budgets }: RunDependencies,
  { scope }: Caller,
  { content }: RevisionToRun,
  part: Omit<Spender, 'agentLimitUsd'> & { name: string; maxCostUsd: number | null },
): Promise<void> {
  const model = await models.find(scope, content.model)
  // The part itself fails with the reason that its model is not configured.
  if (model === null || model.price !== null) return
  const agentLimitUsd = content.limits.maxCostUsdPerMonth
  if (part.maxCostUsd === null && !(await budgets.isLimited({ ...part, agentLimitUsd }))) return
  throw new ToolError(
    `The agent ${part.name} cannot be called: the price of ${model.name} is not known, so its cost cannot be limited`,
  )
}

/** An agent that another agent calls gets no values for its variables, so each variable needs a default. */
function checkVariablesHaveValues(name: string, { content }: RevisionToRun): void {
  const missing = Object.keys(content.variables).filter(variable => content.variables[variable] === null)
  if (missing.length === 0) return
  throw new ToolError(`The agent ${name} cannot be called: its variables ${missing.join(', ')} have no value`)
}

/** The run and the runs above it, starting with the run itself. */
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

/**
 * The part's share of what is left of the calling run's cost limit. The parts of one answer work at the same time, so
 * together they must not be allowed more than what is left.
 */
function remainingCost(run: RunRow, steps: readonly Step[], toolCallId: string): number | null {
  if (run.max_cost_usd === null) return null
  const left = run.max_cost_usd - (spentOf(steps) ?? 0)
  if (left <= 0) throw new ToolError('The run has cost what it may cost; no other agent can be called')
  const others = unansweredCalls(steps).filter(
    call => call.toolName === callAgentTool.name && call.toolCallId !== toolCallId,
  )
  return left / (others.length + 1)
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

type CitedAnswer = { output: (markers: readonly string[]) => string; passages: Passage[] }

/** Returns the passages in the order of their first markers. `output` takes their new markers in that order. */
function citedPassages(text: string, steps: readonly Step[]): CitedAnswer {
  const known = new Map(passagesOf(steps).map(({ number, passage }) => [number, passage]))
  const numbers = new Set<number>()
  for (const [, listed = ''] of text.matchAll(markerPattern())) {
    for (const number of listed.split(',').map(Number)) if (known.has(number)) numbers.add(number)
  }
  const cited = [...numbers]
  const output = (markers: readonly string[]) =>
    text.replace(markerPattern(), (_, listed: string) =>
      listed
        .split(',')
        // A marker without a passage must not become the marker of a passage.
        .map(number => markers[cited.indexOf(Number(number))] ?? '')
        .join(''),
    )
  return { output, passages: cited.flatMap(number => known.get(number) ?? []) }
}
