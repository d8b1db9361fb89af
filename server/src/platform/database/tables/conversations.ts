/** Conversations: what runs of one agent and one end user remember of each other. Times are milliseconds. */
import type { Environment } from '../../caller.ts'

export type ConversationTables = {
  conversations: {
    id: string
    workspace_id: string
    environment: Environment
    agent_id: string
    end_user_id: string | null
    /** As on runs: all runs of a conversation have the same. */
    narrowing: string | null
    name: string
    /** The conversation that it branched from; null where it did not, or that one has been deleted. */
    parent_id: string | null
    /** The last run that it remembers of the one that it branched from. */
    branch_run_id: string | null
    /** The turn of that run: its own turns are counted on from there. 0 without a parent. */
    branch_turn: number
    /** How many conversations it goes back through. */
    depth: number
    /** What is remembered of the turns up to `summary_until_turn`, which no longer fit the model's window. */
    summary: string | null
    summary_until_run_id: string | null
    summary_until_turn: number | null
    /** Its runs, counted with each one. */
    run_count: number
    /** Those of them that have ended. */
    ended_count: number
    revision: number
    created_at: number
    /** When a run of it was last asked for, or it was renamed. */
    updated_at: number
  }
}
