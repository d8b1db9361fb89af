/** The SQL that reads the turns before a run, also in the conversations from which its conversation branched. */
import { sql } from 'kysely'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { rememberedPrompt } from '../inputs/messages.ts'
import type { PastTurn } from '../inputs/window.ts'
import { messagesOf } from '../records/message-schemas.ts'
import type { NarrowedRow } from '../records/run-callers.ts'
import type { RunRow } from '../records/run-store.ts'
import type { ConversationRow } from './conversation-store.ts'

/** A turn that succeeded, as later runs remember it. */
export type RememberedTurn = PastTurn & { runId: string; turn: number }

/** Turns of one conversation in a row: those after turn `after`, up to and including turn `until`. */
export type Stretch = { conversationId: string; after: number; until: number }

export type Summary = { text: string; untilRunId: string; untilTurn: number }

/**
 * `under` is the only narrowing whose turns are remembered; null means all turns of the conversation. No turn saw
 * more than the conversation's narrowing allows, but a run with a tighter one must not read the other turns.
 */
export type Remembered = { stretches: Stretch[]; under: NarrowedRow | null; summary: Summary | null }

/** The stretches that hold the turns before a run, the latest stretch first, and the summary of earlier turns. */
export async function rememberedBy(
  query: Query,
  run: Pick<RunRow, 'conversation_id' | 'turn'> & NarrowedRow,
): Promise<Remembered> {
  const stretches: Stretch[] = []
  let own: ConversationRow | undefined
  let next: string | null = run.conversation_id
  let until = run.turn - 1
  while (next !== null) {
    const row: ConversationRow | undefined = await query
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', next)
      .executeTakeFirst()
    if (row === undefined) break
    own ??= row
    if (until > row.branch_turn) stretches.push({ conversationId: row.id, after: row.branch_turn, until })
    until = Math.min(until, row.branch_turn)
    next = row.parent_id
  }
  if (own === undefined) return { stretches, under: null, summary: null }
  const isNarrower = own.collection_ids !== run.collection_ids || own.filter !== run.filter
  return { stretches, under: isNarrower ? run : null, summary: isNarrower ? null : summaryOf(own) }
}

const summaryOf = (row: ConversationRow): Summary | null =>
  row.summary === null || row.summary_until_run_id === null || row.summary_until_turn === null
    ? null
    : { text: row.summary, untilRunId: row.summary_until_run_id, untilTurn: row.summary_until_turn }

/** The succeeded turns after turn `after` and before turn `before`: the last ones for `desc`, the first for `asc`. */
export async function readTurns(
  query: Query,
  { stretches, under }: Pick<Remembered, 'stretches' | 'under'>,
  request: { after: number; before: number; direction: 'asc' | 'desc'; limit: number },
): Promise<RememberedTurn[]> {
  const { after, before, direction, limit } = request
  const found: RememberedTurn[] = []
  for (const stretch of direction === 'desc' ? stretches : stretches.toReversed()) {
    if (found.length === limit) break
    if (stretch.until <= after || stretch.after >= before - 1) continue
    const rows = await query
      .selectFrom('runs')
      .select(['id', 'turn', 'prompt', 'output'])
      .select(shortMessages)
      .where('conversation_id', '=', stretch.conversationId)
      .where('turn', '>', Math.max(after, stretch.after))
      .where('turn', '<', Math.min(before, stretch.until + 1))
      .where('status', '=', 'succeeded')
      .$if(under !== null, turns =>
        turns
          .where('collection_ids', under?.collection_ids == null ? 'is' : '=', under?.collection_ids ?? null)
          .where('filter', under?.filter == null ? 'is' : '=', under?.filter ?? null),
      )
      .orderBy('turn', direction)
      .limit(limit - found.length)
      .execute()
    for (const row of rows) found.push({ runId: row.id, turn: row.turn, ...(await saidIn(query, row)) })
  }
  return found
}

/** In bytes. Larger messages, which hold images, are read one by one, so that only their words are kept. */
const mostTogether = 20_000

const shortMessages = [
  sql<RunRow['messages']>`CASE WHEN octet_length(messages) <= ${mostTogether} THEN messages END`.as(
    'messages',
  ),
  sql<number>`coalesce(octet_length(messages), 0)`.as('messages_bytes'),
]

type SaidRow = Pick<RunRow, 'id' | 'prompt' | 'messages' | 'output'> & { messages_bytes: number }

async function saidIn(query: Query, row: SaidRow): Promise<PastTurn> {
  const isShort = row.messages_bytes <= mostTogether
  const read = isShort
    ? row
    : await query.selectFrom('runs').select('messages').where('id', '=', row.id).executeTakeFirst()
  return {
    // A run that was deleted meanwhile has no messages.
    prompt: rememberedPrompt(row.prompt, read === undefined ? [] : (messagesOf(read) ?? [])),
    output: row.output ?? '',
  }
}

/**
 * Replaces the summary from which the new one was made. Returns false if that summary or one of the turns has changed
 * meanwhile: words of a document may have been erased from them.
 */
export async function storeSummary(
  tx: Tx,
  conversationId: string,
  madeFrom: { summary: Summary | null; turns: readonly RememberedTurn[] },
  summary: Summary,
): Promise<boolean> {
  const ids = madeFrom.turns.map(({ runId }) => runId)
  const rows = await tx
    .selectFrom('runs')
    .select(['id', 'prompt', 'output'])
    .select(shortMessages)
    .where('id', 'in', ids)
    .execute()
  const now = new Map<string, PastTurn>()
  for (const row of rows) now.set(row.id, await saidIn(tx, row))
  const isSame = ({ runId, prompt, output }: RememberedTurn) =>
    now.get(runId)?.prompt === prompt && now.get(runId)?.output === output
  if (!madeFrom.turns.every(isSame)) return false
  const { summary: previous } = madeFrom
  const { numUpdatedRows } = await tx
    .updateTable('conversations')
    .set({
      summary: summary.text,
      summary_until_run_id: summary.untilRunId,
      summary_until_turn: summary.untilTurn,
    })
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', conversationId)
    .where('summary', previous === null ? 'is' : '=', previous?.text ?? null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
