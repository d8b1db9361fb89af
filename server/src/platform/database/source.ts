/** Where a database is, as plain data that can be handed to another thread. */

export type PostgresOptions = {
  url: string
  /** The longest wait for a free connection. */
  acquireTimeoutMs: number
  /** The longest time that one statement, or a pause inside a transaction, may take. */
  transactionTimeoutMs: number
  maxConnections: number
  applicationName: string
}

/** What readers open; `maxConnections` is for all of them together. */
export type ReaderSource =
  | { engine: 'sqlite'; file: string }
  | { engine: 'postgres'; options: PostgresOptions }
