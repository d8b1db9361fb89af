/** The outbox. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

export type EventTables = {
  /** What happened, for those who are told of it: written with the change itself. */
  events: {
    id: string
    workspace_id: string
    environment: Environment
    type: string
    data: Json<Record<string, unknown>>
    /** The agent that it concerns; a key that is narrowed to agents sees no others. */
    agent_id: string | null
    /** The collection that it concerns; a key that is narrowed to collections sees no others. */
    collection_id: string | null
    /** The narrowing of what it concerns, as `narrowingOf` writes it. */
    narrowing: string | null
    /** What happens once only; another event with this key is not written. */
    unique_key: string | null
    created_at: number
  }
}
