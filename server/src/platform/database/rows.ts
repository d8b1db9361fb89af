/** What stores do with rows of every table: count them, and change or delete one by its id. */
import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Scope } from '../caller.ts'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** How many rows the query has, whatever it selects of them. */
export async function countOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> {
  const counted = await rows.clearSelect().select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return (counted as { count: number }).count
}

type OwnedTable = {
  [Name in keyof Tables]: Tables[Name] extends { id: unknown; workspace_id: unknown } ? Name : never
}[keyof Tables]

type Owner = Pick<Scope, 'workspaceId'>
type Change<Table extends OwnedTable> = Updateable<Tables[Table]>

/** Changes a row that the caller has found in its scope. */
export const updates =
  <Table extends OwnedTable>(table: Table) =>
  async (owner: Owner, tx: Tx, id: string, change: Change<Table>): Promise<void> => {
    await updateOf(table, owner, tx, id).set(change).execute()
  }

/** The same, and the revision of the row goes up. */
export const revises =
  <Table extends OwnedTable>(table: Table) =>
  async (owner: Owner, tx: Tx, id: string, change: Change<Table>): Promise<void> => {
    await revisionOf(table, owner, tx, id, change).execute()
  }

/** The same, and returns the row that has come of it. */
export const revisesRow =
  <Table extends OwnedTable>(table: Table) =>
  async (owner: Owner, tx: Tx, id: string, change: Change<Table>): Promise<Selectable<Tables[Table]>> => {
    const revised = revisionOf(table, owner, tx, id, change).returningAll()
    return (await revised.executeTakeFirstOrThrow()) as unknown as Selectable<Tables[Table]>
  }

/** Deletes a row that the caller has found in its scope. */
export const deletes =
  (table: OwnedTable) =>
  async ({ workspaceId }: Owner, tx: Tx, id: string): Promise<void> => {
    const rows = tx.deleteFrom(table as 'agents')
    await rows.where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
  }

const revisionOf = (table: OwnedTable, owner: Owner, tx: Tx, id: string, change: object) =>
  updateOf(table, owner, tx, id).set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))

/** Kysely is told of one of the tables, since the columns that are named here are the same in all of them. */
const updateOf = (table: OwnedTable, { workspaceId }: Owner, tx: Tx, id: string) =>
  tx
    .updateTable(table as 'agents')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
