/** How conversations begin: new, or as a branch that continues from an earlier run of another conversation. */
import { narrowingOf, type Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { limitReached } from '../../../platform/errors.ts'
import type { RunNarrowing } from '../../../platform/narrowing.ts'
import { narrowingColumns } from '../records/run-callers.ts'
import type { RunRow } from '../records/run-store.ts'
import {
  addConversation,
  type ConversationRow,
  insertConversation,
  lockConversation,
  runOfTurn,
} from './conversation-store.ts'

/** `narrowing` holds for all runs of the conversation. */
type FirstRun = { agentId: string; endUserId: string | null; prompt: string; narrowing: RunNarrowing }

/** `ownerId` comes from `ownerOf`. */
type NewConversation = { id: string; now: number; ownerId: string | null; name?: string | undefined }

/** A branch goes back through at most this many conversations. */
const mostDepth = 50

/** A conversation without runs; its name is the first words of `prompt`. */
export const newConversation = (
  scope: Scope,
  { agentId, endUserId, prompt, narrowing }: FirstRun,
  { id, now, ownerId }: NewConversation,
): ConversationRow => ({
  id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  agent_id: agentId,
  owner_id: ownerId,
  shared_with: null,
  end_user_id: endUserId,
  narrowing: narrowingOf(scope),
  ...narrowingColumns(narrowing),
  name: nameOf(prompt),
  parent_id: null,
  branch_run_id: null,
  branch_turn: 0,
  depth: 0,
  summary: null,
  summary_until_run_id: null,
  summary_until_turn: null,
  run_count: 0,
  ended_count: 0,
  revision: 1,
  created_at: now,
  updated_at: now,
})

/** Adds a branch that remembers the turns up to `run`. Throws `limit_reached` after too many branches in a row. */
export async function branchAfter(
  scope: Scope,
  tx: Tx,
  run: Pick<RunRow, 'id' | 'conversation_id' | 'turn'>,
  conversation: NewConversation,
): Promise<ConversationRow> {
  const parent = await conversationOf(scope, tx, run)
  const point = {
    parent_id: parent.id,
    branch_run_id: run.id,
    branch_turn: run.turn,
    depth: parent.depth + 1,
  }
  if (point.depth > mostDepth) {
    throw limitReached('branches', mostDepth, `A branch goes back through at most ${mostDepth} conversations`)
  }
  return await insertBranch(scope, tx, { ...parent, ...point }, conversation)
}

/** Adds a conversation that remembers the turns before `run`, but not `run` itself. Returns its id. */
export async function branchBefore(
  scope: Scope,
  tx: Tx,
  run: Pick<RunRow, 'id' | 'conversation_id' | 'turn'>,
  conversation: NewConversation,
): Promise<string> {
  const previous = await runOfTurn(tx, run.conversation_id, run.turn - 1)
  if (previous !== undefined) return (await branchAfter(scope, tx, previous, conversation)).id
  // `run` is the first of its conversation. The new conversation branches where that conversation did, if at all.
  return (await insertBranch(scope, tx, await conversationOf(scope, tx, run), conversation)).id
}

async function conversationOf(
  scope: Scope,
  tx: Tx,
  run: Pick<RunRow, 'id' | 'conversation_id'>,
): Promise<ConversationRow> {
  const row = await lockConversation(scope, tx, run.conversation_id)
  if (row === undefined) throw new Error(`The conversation of run ${run.id} is gone`)
  return row
}

/** The new row copies `like`, which has its branch point already. A summary of turns after that point is dropped. */
async function insertBranch(
  scope: Scope,
  tx: Tx,
  like: ConversationRow,
  { id, now, ownerId, name }: NewConversation,
): Promise<ConversationRow> {
  const isSummaryKept = like.summary_until_turn !== null && like.summary_until_turn <= like.branch_turn
  const row: ConversationRow = {
    ...like,
    id,
    owner_id: ownerId,
    shared_with: null,
    narrowing: narrowingOf(scope),
    name: name?.trim() ?? like.name,
    summary: isSummaryKept ? like.summary : null,
    summary_until_run_id: isSummaryKept ? like.summary_until_run_id : null,
    summary_until_turn: isSummaryKept ? like.summary_until_turn : null,
    run_count: 0,
    ended_count: 0,
    revision: 1,
    created_at: now,
    updated_at: now,
  }
  await addConversation(tx, row.agent_id)
  await insertConversation(scope, tx, row)
  return row
}

const mostCharacters = 60

/** The first words of a prompt, in one line. */
export function nameOf(prompt: string): string {
  const words = prompt.trim().split(/\s+/, mostCharacters)
  const line = words.join(' ')
  if (line.length <= mostCharacters) return line
  const cut = line.slice(0, mostCharacters)
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > 0 ? cut.slice(0, lastSpace) : cut).toWellFormed()} …`
}
