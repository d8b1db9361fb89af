/**
 * Which runs and conversations hold words of collections that are kept from the caller. They are told by the documents that
 * runs were really shown, and by where those words went on to: to later runs of a conversation, and to its branches.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'

/** For one row that is looked up by its id: from its conversation back through those that it has branched from. */
export const holdsNothingWithheld = (
  scope: Scope,
  conversationColumn: string,
): RawBuilder<SqlBool> | null => {
  const withheld = withheldOf(scope)
  if (withheld === null) return null
  return sql<SqlBool>`NOT EXISTS (
    WITH RECURSIVE line (id) AS (
      SELECT ${sql.ref(conversationColumn)}
      UNION
      SELECT conversations.parent_id FROM conversations JOIN line ON conversations.id = line.id
        WHERE conversations.parent_id IS NOT NULL
    )
    SELECT 1 FROM line
      JOIN runs AS remembered ON remembered.conversation_id = line.id
      JOIN run_documents AS shown ON shown.run_id = remembered.id
    WHERE (SELECT collection_id FROM documents WHERE documents.id = shown.document_id) IN (${sql.join(withheld)})
  )`
}

/** The same for lists: from the documents to all conversations that their words have come to, looked up once. */
export const isNotAmongWithheld = (scope: Scope, conversationColumn: string): RawBuilder<SqlBool> | null => {
  const withheld = withheldOf(scope)
  if (withheld === null) return null
  return sql<SqlBool>`${sql.ref(conversationColumn)} NOT IN (
    WITH RECURSIVE told (id) AS (
      SELECT remembered.conversation_id FROM (
        SELECT DISTINCT shown.run_id FROM documents AS withheld CROSS JOIN run_documents AS shown
        WHERE withheld.collection_id IN (${sql.join(withheld)}) AND shown.document_id = withheld.id
      ) AS told_runs CROSS JOIN runs AS remembered WHERE remembered.id = told_runs.run_id
      UNION
      SELECT conversations.id FROM conversations JOIN told ON conversations.parent_id = told.id
    )
    SELECT id FROM told
  )`
}

/** A run that has not ended may still be shown anything that its author reaches; so nobody else follows it who does not reach all. */
export const hasEndedOrIsOwn = (scope: Scope): RawBuilder<SqlBool> | null =>
  withheldOf(scope) === null
    ? null
    : sql<SqlBool>`(runs.finished_at IS NOT NULL OR runs.author_id = ${scope.withheld?.userId ?? null})`

const withheldOf = ({ withheld }: Scope): readonly string[] | null =>
  withheld === undefined || withheld.collectionIds.length === 0 ? null : withheld.collectionIds
