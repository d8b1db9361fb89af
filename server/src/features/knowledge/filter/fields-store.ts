/** The rows of a document's metadata. Filters find the document by these rows. */
import type { Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { fieldValues } from '../../../platform/filter/field-values.ts'

/** Replaces the document's rows. Call this in the transaction that writes the metadata. */
export async function writeFields(
  scope: Scope,
  tx: Tx,
  documentId: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.deleteFrom('document_fields').where('document_id', '=', documentId).execute()
  await insertFields(scope, tx, documentId, metadata)
}

/** Like `writeFields`, for a new document. */
export async function insertFields(
  scope: Scope,
  tx: Tx,
  documentId: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<void> {
  const rows = fieldValues(metadata).map((value, place) => ({
    document_id: documentId,
    place,
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    name: value.name,
    kind: value.kind,
    listed: value.isListed ? 1 : 0,
    text_start: 'text' in value ? startOf(value.text) : null,
    text: 'text' in value ? value.text : null,
    number: 'number' in value ? value.number : null,
  }))
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto('document_fields')
      .values(rows.slice(start, start + rowsAtOnce))
      .execute()
  }
}

/** Both engines take more parameters in one statement than these rows need. */
const rowsAtOnce = 1_000

/** The start that an index holds: PostgreSQL allows 2,700 bytes an entry. Replaces half a character at its end. */
export const startOf = (text: string): string => text.slice(0, 64).toWellFormed()
