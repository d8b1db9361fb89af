/** The rows of jobs, as the engine holds them. */
import type { Selectable } from 'kysely'
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
