/** The rows of conversations of OpenAI's clients. */
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { countOf, deletes, inserts, updates } from '../../platform/database/rows.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type ConversationRow = Selectable<Tables['openai_conversations']>

/** The conversation's id, and its author. */
export type Own = { id: string; authorId: string }

const selectOwn = ({ workspaceId, environment }: Scope, query: Query, { id, authorId }: Own) =>
  query
    .selectFrom('openai_conversations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('id', '=', id)
    .where('author_id', '=', authorId)

export const findConversation = (
  scope: Scope,
  query: Query,
  own: Own,
): Promise<ConversationRow | undefined> => selectOwn(scope, query, own).executeTakeFirst()

/** The same row, locked until the transaction ends. */
export const lockConversation = (scope: Scope, tx: Tx, own: Own): Promise<ConversationRow | undefined> =>
  selectOwn(scope, tx, own).forUpdate().executeTakeFirst()

/** The conversations of one key, or of one person. */
export const countConversations = (
  { workspaceId, environment }: Scope,
  query: Query,
  authorId: string,
): Promise<number> =>
  countOf(
    query
      .selectFrom('openai_conversations')
      .where('author_id', '=', authorId)
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment),
  )

export const insertConversation = inserts('openai_conversations')

export const updateConversation = updates('openai_conversations')

export const deleteConversation = deletes('openai_conversations')

/** Deletes a slice of conversations, in all workspaces, whose last use was before that time. Returns how many. */
export async function deleteUnused(tx: Tx, before: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM openai_conversations WHERE id IN (
    SELECT id FROM openai_conversations WHERE updated_at < ${before} ORDER BY updated_at LIMIT ${limit}
  )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
