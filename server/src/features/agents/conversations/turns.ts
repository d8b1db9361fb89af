/** The order of a conversation's runs: one at a time, each after the end of the one before it. */
import { narrowingOf, type Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { BusyPolicy } from '../records/run-schemas.ts'
import type { RunRow } from '../records/run-store.ts'
import { newConversation } from './branching.ts'
import {
  addEndedRuns,
  addRun,
  type ConversationRow,
  findConversation,
  unfinishedRuns,
} from './conversation-store.ts'

export const mostRunsPerConversation = 10_000

/** What stands in `job_id` of a run that waits for its turn. */
export const noJob = ''

/** A run's place in its conversation, whether it has to wait there for others to end, and the row where it begins one. */
export type Place = { conversationId: string; turn: number; waits: boolean; begins: ConversationRow | null }

type Wanted = {
  /** Undefined where the run begins a conversation. */
  conversationId: string | undefined
  agentId: string
  endUserId: string | null
  prompt: string
  whenBusy: BusyPolicy
  now: number
}

/** Makes runs stop, given in the order of their turns; answers how many have ended by that. The others end by themselves. */
export type StopRuns = (tx: Tx, runs: readonly RunRow[]) => Promise<number>

/**
 * Where a run stands that is added in the same transaction; until that is over, other runs of its conversation can
 * neither start nor end. Throws a 400 where the conversation is not of this agent, end user and narrowing, or is full,
 * and `conversation_busy` where the run is not to wait.
 */
export async function placeRun(
  scope: Scope,
  tx: Tx,
  { conversationId, ...wanted }: Wanted,
  { newId, stop }: { newId: NewId; stop: StopRuns },
): Promise<Place> {
  if (conversationId !== undefined) return await takeTurn(scope, tx, { conversationId, ...wanted }, stop)
  const begun = newConversation(scope, wanted, { id: newId('conversation'), now: wanted.now })
  return { conversationId: begun.id, turn: 1, waits: false, begins: { ...begun, run_count: 1 } }
}

async function takeTurn(
  scope: Scope,
  tx: Tx,
  { conversationId, agentId, endUserId, whenBusy, now }: Wanted & { conversationId: string },
  stop: StopRuns,
): Promise<Place> {
  // One that holds words which are kept from the caller is not there: the run would remember them.
  if (scope.withheld !== undefined && (await findConversation(scope, tx, conversationId)) === undefined) {
    throw noConversation('for this agent and end user')
  }
  // Jobs before their conversation, as where a run ends: in the other order the two could wait for each other.
  if (whenBusy === 'interrupt') await stopAll(scope, tx, conversationId, stop)
  const row = await addRun(scope, tx, { id: conversationId, agentId, now })
  checkOwner(scope, row, endUserId)
  if (row.run_count > mostRunsPerConversation) throw isFull()
  let othersUnderWay = row.run_count - 1 - row.ended_count
  if (othersUnderWay > 0 && whenBusy === 'reject') throw await isBusy(scope, tx, conversationId)
  // Whatever came in between waits itself.
  if (othersUnderWay > 0 && whenBusy === 'interrupt') {
    othersUnderWay -= await stopAll(scope, tx, conversationId, stop)
  }
  const turn = row.branch_turn + row.run_count
  return { conversationId, turn, waits: othersUnderWay > 0, begins: null }
}

/**
 * For the transaction in which a run ends: the one that waits for it begins. `begin` puts it into the queue. To be
 * called once for each run.
 */
export async function endTurn(
  tx: Tx,
  { workspace_id: workspaceId, conversation_id: id }: Pick<RunRow, 'workspace_id' | 'conversation_id'>,
  begin: (next: RunRow) => Promise<void>,
): Promise<void> {
  const underWay = await addEndedRuns(tx, id, 1)
  if (underWay === 0) return
  const [next] = await unfinishedRuns({ workspaceId }, tx, id, 1)
  if (next !== undefined && next.job_id === noJob) await begin(next)
}

const stopAll = async (scope: Scope, tx: Tx, conversationId: string, stop: StopRuns): Promise<number> =>
  await stop(tx, await unfinishedRuns(scope, tx, conversationId, mostRunsPerConversation))

function checkOwner(
  scope: Scope,
  row: ConversationRow | undefined,
  endUserId: string | null,
): asserts row is ConversationRow {
  if (row?.narrowing !== narrowingOf(scope) && row !== undefined && scope.collectionIds === undefined) {
    const remedy = 'go on with such a key, or branch it'
    throw invalidField('conversationId', `It was begun by a key that is narrowed to collections; ${remedy}`)
  }
  if (row?.end_user_id !== endUserId || row.narrowing !== narrowingOf(scope)) {
    throw noConversation('for this agent and end user')
  }
}

export const noConversation = (whose: string): ServiceError =>
  invalidField('conversationId', `There is no conversation with this id ${whose}`)

const isFull = (): ServiceError =>
  invalidField(
    'conversationId',
    `The conversation has ${mostRunsPerConversation} runs, which is the most; branch it or begin a new one`,
  )

export async function isBusy(scope: Scope, tx: Tx, conversationId: string): Promise<ServiceError> {
  const [run] = await unfinishedRuns(scope, tx, conversationId, 1)
  const which = run === undefined ? 'A run' : `The run ${run.id}`
  return new ServiceError('conversation_busy', `${which} of the conversation is under way`)
}
