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
}
