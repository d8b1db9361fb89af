/** The rows of jobs, as the engine holds them. */
import { type Selectable, sql } from 'kysely'
import type { databaseNow } from '../database/between-processes.ts'
import type { Engine } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type JobRow = Selectable<Tables['jobs']>

/** A job that this process holds, and the token that proves it. */
export type Lease = { id: string; token: string }

export type ClaimedJob = {
  id: string
  lane: string
  payload: string
  attempts: number
  max_attempts: number | null
  kills: number
}

export type Now = ReturnType<typeof databaseNow>

/** The texts as the rows of a table with the one column `value`. */
export const rowsOf = (engine: Engine, texts: readonly string[]) =>
  engine === 'sqlite'
    ? sql`json_each(${JSON.stringify(texts)})`
    : sql`unnest(${texts}::text[]) AS listed (value)`
