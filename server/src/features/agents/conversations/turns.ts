/** The order of a conversation's runs: one at a time, each after the end of the one before it. */
import { narrowingOf, type Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { RunNarrowing } from '../../../platform/narrowing.ts'
import { noJob } from '../records/run-job.ts'
import type { BusyPolicy } from '../records/run-schemas.ts'
import type { RunRow } from '../records/run-store.ts'
import { newConversation } from './branching.ts'
import {
  addRun,
  type ConversationRow,
  countEndedRun,
  findConversation,
  unfinishedRuns,
} from './conversation-store.ts'

export const mostRunsPerConversation = 10_000

/** A run's turn, how many runs it waits for, and the row of a conversation that it begins. */
export type Position = {
  conversationId: string
  turn: number
  /** The runs of the conversation that must end first. */
  behind: number
  /** The owner of the conversation, and so of the run. */
  ownerId: string | null
  begins: ConversationRow | null
}

type Request = {
  /** Undefined if the run begins a conversation. */
  conversationId: string | undefined
  agentId: string
  /** The owner of a conversation that the run begins. */
  ownerId: string | null
  endUserId: string | null
  prompt: string
  /** The run's narrowing. A conversation that the run begins gets it too. */
  narrowing: RunNarrowing
  whenBusy: BusyPolicy
  now: number
}

/** Stops runs, given in the order of their turns. Returns how many have ended at once; the others end soon. */
type StopRuns = (runs: readonly RunRow[]) => Promise<number>

/**
 * Gives a turn to a run that the same transaction adds. Until that transaction ends, other runs of the conversation
 * can neither start nor end. Throws a 400 if the conversation is full, or has another agent, end user or narrowing.
 * Throws `conversation_busy` if the run must not wait, or would interrupt a part of another run.
 */
export async function positionRun(
  scope: Scope,
  tx: Tx,
  { conversationId, ...request }: Request,
  { newId, stop }: { newId: NewId; stop: StopRuns },
): Promise<Position> {
  if (conversationId !== undefined)
    return await joinConversation(scope, tx, { conversationId, ...request }, stop)
  const begun = newConversation(scope, request, {
    id: newId('conversation'),
    now: request.now,
    ownerId: request.ownerId,
  })
  return {
    conversationId: begun.id,
    turn: 1,
    behind: 0,
    ownerId: begun.owner_id,
    begins: { ...begun, run_count: 1 },
  }
}

async function joinConversation(
  scope: Scope,
  tx: Tx,
  {
    conversationId,
    agentId,
    endUserId,
    whenBusy,
    now,
  }: Omit<Request, 'narrowing' | 'ownerId'> & { conversationId: string },
  stop: StopRuns,
): Promise<Position> {
  // A conversation with withheld words does not exist for the caller: the run would remember these words.
  if (scope.withheld !== undefined && (await findConversation(scope, tx, conversationId)) === undefined) {
    throw noConversation('for this agent and end user')
  }
  // Jobs are locked before their conversation, as at the end of a run. The other order could deadlock.
  const stopped = whenBusy === 'interrupt' ? await stopAll(scope, tx, conversationId, stop) : 0
  const row = await addRun(scope, tx, { id: conversationId, agentId, now })
  checkEndUser(scope, row, endUserId)
  if (row.run_count > mostRunsPerConversation) throw isFull()
  let othersInProgress = row.run_count - 1 - row.ended_count
  if (othersInProgress > 0 && whenBusy === 'reject') throw await isBusy(scope, tx, conversationId)
  // Runs that joined in between are still waiting for their turn.
  if (othersInProgress > 0 && whenBusy === 'interrupt') {
    const ended = stopped === null ? null : await stopAll(scope, tx, conversationId, stop)
    if (ended === null) throw await isBusy(scope, tx, conversationId)
    othersInProgress -= ended
  }
  const turn = row.branch_turn + row.run_count
  return { conversationId, turn, behind: Math.max(0, othersInProgress), ownerId: row.owner_id, begins: null }
}

/**
 * Counts the end of a run, once for each run and in the transaction of its end. Returns the run to queue next, which
 * waited for this one.
 */
export async function endTurn(
  tx: Tx,
  { workspace_id: workspaceId, conversation_id: id }: Pick<RunRow, 'workspace_id' | 'conversation_id'>,
): Promise<RunRow | null> {
  const unfinished = await countEndedRun(tx, id)
  if (unfinished === 0) return null
  const [next] = await unfinishedRuns({ workspaceId }, tx, id, 1)
  return next !== undefined && next.job_id === noJob ? next : null
}

/** Stops nothing and returns null if a run of the conversation is a part of another run. */
async function stopAll(scope: Scope, tx: Tx, conversationId: string, stop: StopRuns): Promise<number | null> {
  const runs = await unfinishedRuns(scope, tx, conversationId, mostRunsPerConversation)
  // The run that called the part needs the part's answer, and works on the part within its own job.
  return runs.some(isPart) ? null : await stop(runs)
}

function checkEndUser(
  scope: Scope,
  row: ConversationRow | undefined,
  endUserId: string | null,
): asserts row is ConversationRow {
  const narrowing = narrowingOf(scope)
  if (row !== undefined && row.narrowing !== narrowing && narrowing === null) {
    const remedy = 'go on with such a key, or branch it'
    throw invalidField('conversationId', `It was begun by a key that is narrowed to documents; ${remedy}`)
  }
  if (row?.end_user_id !== endUserId || row.narrowing !== narrowing) {
    throw noConversation('for this agent and end user')
  }
}

export const noConversation = (whose?: string): ServiceError =>
  invalidField(
    'conversationId',
    `There is no conversation with this id${whose === undefined ? '' : ` ${whose}`}`,
  )

const isFull = (): ServiceError =>
  invalidField(
    'conversationId',
    `The conversation has ${mostRunsPerConversation} runs, which is the most; branch it or begin a new one`,
  )

export async function isBusy(scope: Scope, tx: Tx, conversationId: string): Promise<ServiceError> {
  const [run] = await unfinishedRuns(scope, tx, conversationId, 1)
  const which = run === undefined ? 'A run' : `The run ${run.id}`
  const why = run !== undefined && isPart(run) ? ', and is a part of another run' : ''
  return new ServiceError(
    'conversation_busy',
    `${which} of the conversation is in progress${why}: wait for it, or cancel it first${run === undefined ? '' : ` with POST /runs/${run.id}/cancel`}`,
    {
      details: { runId: run?.id ?? null },
    },
  )
}

const isPart = (run: RunRow): boolean => run.root_run_id !== null
