/**
 * The servers that share a database. Each server says that it lives. A server that keeps its files elsewhere does not
 * start, since the servers could not read each other's files.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { secondMs } from './clock.ts'
import { databaseNow } from './database/between-processes.ts'
import type { Database, Query, Tx } from './database/database.ts'
import type { Log } from './log.ts'
import { repeat } from './schedules/rounds.ts'

export type Node = {
  /** The server's id among the servers on this database. */
  id: string
  /** What is wrong; null if all is well. */
  trouble(): string | null
  leave(): Promise<void>
}

const heartbeatMs = 5 * secondMs
/** A server that is silent for so long is gone. */
export const nodeExpiryMs = 30 * secondMs

/** Throws, with what the operator has to do, if another server runs that keeps its files elsewhere. */
export async function joinNodes(
  database: Database,
  { role, storageId, log }: { role: string; storageId: string; log: Log },
): Promise<Node> {
  const own = { id: randomUUID(), role, host: hostname(), storage_id: storageId }
  const register = () => database.write(tx => addNode(tx, own))
  let trouble: string | null = null
  const beat = async (): Promise<void> => {
    if (await database.write(tx => renewNode(tx, own.id))) return
    // The others took this server for dead, and another server may have started meanwhile.
    try {
      await register()
      trouble = null
    } catch (error) {
      trouble = (error as Error).message
      throw error
    }
  }
  await register()
  const stop = repeat({ name: 'saying that this server lives', everyMs: heartbeatMs, run: beat }, { log })
  return {
    id: own.id,
    trouble: () => trouble,
    async leave() {
      await stop()
      const removed = database.write(tx => tx.deleteFrom('nodes').where('id', '=', own.id).execute())
      // If the database is away, the others forget this server after `nodeExpiryMs`.
      await removed.catch(error =>
        log.warn('Other servers could not be notified that this one ends', { error }),
      )
    },
  }
}

/** Whether a server runs; false also of a database that has no tables yet. */
export async function hasNodes(query: Query): Promise<boolean> {
  const { rows } = await sql<{ nodes: string | null }>`SELECT to_regclass('nodes')::text AS nodes`.execute(
    query,
  )
  return rows[0]?.nodes != null && (await livingNodes(query)).length > 0
}

/** Keeps servers from joining until the transaction ends. Returns whether a server is there. */
export async function keepNodesOut(tx: Tx): Promise<boolean> {
  await sql`LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
  return (await livingNodes(tx)).length > 0
}

export const livingNodes = (query: Query) =>
  query
    .selectFrom('nodes')
    .selectAll()
    .select(sql<number>`${databaseNow(query)} - seen_at`.as('silentMs'))
    .where('seen_at', '>', sql<number>`${databaseNow(query)} - ${nodeExpiryMs}`)
    .execute()

type OwnNode = { id: string; role: string; host: string; storage_id: string }

async function addNode(tx: Tx, own: OwnNode): Promise<void> {
  // One after the other: of two servers that start at the same moment, the second one sees the first.
  await sql`LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
  const living = await livingNodes(tx)
  const other = living.find(({ storage_id: id }) => id !== own.storage_id)
  if (other !== undefined) throw new Error(elsewhere(other))
  const ids = living.map(({ id }) => id)
  await tx
    .deleteFrom('nodes')
    .$if(ids.length > 0, query => query.where('id', 'not in', ids))
    .execute()
  const now = databaseNow(tx)
  await tx
    .insertInto('nodes')
    .values({ ...own, started_at: now, seen_at: now })
    .execute()
}

const elsewhere = ({ role, host, silentMs }: { role: string; host: string; silentMs: number }): string =>
  `Another server on this database (role ${role} on ${host}, seen ${Math.round(silentMs / 1000)} s ago) keeps its files in another folder: give all servers one ATRIUM_DATA_DIR on a volume that they share. A server that was killed is forgotten after ${nodeExpiryMs / 1000} s`

async function renewNode(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('nodes')
    .set({ seen_at: databaseNow(tx) })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
