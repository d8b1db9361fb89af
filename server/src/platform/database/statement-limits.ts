/**
 * The limits of PostgreSQL's statements, sent with each transaction and each statement outside of one: a pooler between us and
 * the server gives every transaction another connection, so nothing may be set for a session.
 */
import pg from 'pg'

export type StatementLimits = {
  /** Sends one statement; where it begins a transaction or stands alone, its limits go along, in one round trip. */
  query(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult>
}

export function createStatementLimits(options: {
  /** The longest that a statement, or a pause inside a transaction, may take. */
  transactionTimeoutMs: number
  /** The longest wait for a lock. */
  acquireTimeoutMs: number
}): StatementLimits {
  const limits = {
    statement_timeout: options.transactionTimeoutMs,
    lock_timeout: options.acquireTimeoutMs,
    idle_in_transaction_session_timeout: options.transactionTimeoutMs,
  }
  // Unlike a SELECT, it takes no snapshot: a transaction's begins with its own first statement.
  const ofTransaction = Object.entries(limits).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
  // Unlike SET LOCAL, it gives no warning where no transaction was begun.
  const ofStatement = `SELECT ${Object.entries(limits).map(([name, ms]) => `set_config('${name}', '${ms}', true)`)}`
  return {
    query(client, text, values) {
      if (client.getTransactionStatus() !== 'I') return client.query(text, [...values])
      if (begins.test(text)) return client.query([text, ...ofTransaction].join('; '))
      return new Promise((resolve, reject) => {
        const done = (error: Error | null, result: pg.QueryResult): void =>
          error === null || error === undefined ? resolve(result) : reject(error)
        client.query(new LimitedQuery(ofStatement, text, [...values], done))
      })
    },
  }
}

const begins = /^(begin|start transaction)\b/

/** What of `pg`'s own class its types leave out. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  parse(message: { text: string }): void
  bind(message: object): void
  execute(message: object): void
}
type WireQuery = pg.Submittable & {
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: unknown): void
}
type Done = (error: Error | null, result: pg.QueryResult) => void
const WireQuery = pg.Query as unknown as new (
  config: { text: string; values: unknown[]; queryMode: 'extended' },
  values: undefined,
  done: Done,
) => WireQuery

/** Two statements that are sent together, and are one transaction since only one Sync follows; the first one's result is dropped. */
class LimitedQuery extends WireQuery {
  readonly #limits: string
  #isLimited = false

  constructor(limits: string, text: string, values: unknown[], done: Done) {
    super({ text, values, queryMode: 'extended' }, undefined, done)
    this.#limits = limits
    const submit = super.submit
    this.submit = connection => {
      const wire = connection as unknown as Wire
      wire.stream.cork()
      try {
        wire.parse({ text: this.#limits })
        wire.bind({})
        wire.execute({})
        return submit.call(this, connection)
      } finally {
        wire.stream.uncork()
      }
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#isLimited) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#isLimited) super.handleCommandComplete(message, connection)
    this.#isLimited = true
  }
}
