/** The processes on one database. Times are milliseconds by the database's clock. */

export type NodeTables = {
  /** A server that runs, or ran a moment ago. */
  nodes: {
    id: string
    role: string
    /** The name of its machine, for people. */
    host: string
    /** Which files it keeps: those of equal ids are the same. */
    storage_id: string
    started_at: number
    /** When it last said that it lives. */
    seen_at: number
  }
  /** What one process does for all of them from time to time. */
  chore_turns: {
    name: string
    /** When one of them last began with it. */
    taken_at: number
  }
}
