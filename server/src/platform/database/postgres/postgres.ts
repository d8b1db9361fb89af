/** The database for an installation that outgrows one file: PostgreSQL 15 or later, through `pg`. */

import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { databaseUnavailable } from '../../errors.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { createSnapshotTurns, createTransactions } from '../transactions.ts'

export type PostgresOptions = {
  url: string
  /** The longest wait for a free connection. */
  acquireTimeoutMs: number
  /** The longest time that one statement, or a pause inside a transaction, may take. */
  transactionTimeoutMs: number
  maxConnections: number
  applicationName: string
}

/** Opens the database as it is; `openDatabase` brings its schema up to date first. */
export function openPostgres(options: PostgresOptions): Database {
  const pool = new pg.Pool(poolConfig(options))
  // A connection that breaks while it is idle leaves the pool by itself; the next query opens another.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  const limits = createStatementLimits(options)
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { connect: () => connect(pool, limits), end: () => pool.end() },
    }),
  })
  // The other half of the connections is left to short work.
  const turns = createSnapshotTurns(Math.ceil(options.maxConnections / 2), options.acquireTimeoutMs)
  return {
    engine: 'postgres',
    file: null,
    read: kysely,
    snapshot: (owner, work) =>
      turns.run(owner, () =>
        kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      ),
    ...createTransactions(kysely, isCrossed),
    maintain: (statement, signal) => maintain(options, statement, signal),
    emptyLog: null,
    ping: async () => {
      await sql`select 1`.execute(kysely)
    },
    close: async () => {
      turns.close()
      await kysely.destroy()
    },
  }
}

/** The settings of all our connections, pooled or not. */
export const connectionConfig = (url: string, applicationName: string): pg.ClientConfig => ({
  connectionString: withNamedCheck(url),
  application_name: applicationName,
  keepAlive: true,
  types: { getTypeParser },
})

/** The client checks the certificate in each of these modes, and prints ten lines about that unless the mode says so. */
const withNamedCheck = (url: string): string =>
  url.includes('uselibpqcompat=true')
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/, '$1verify-full')

/** Parses int8 columns and the sums (numeric) over them as JavaScript numbers, as they come from SQLite. */
export function parseNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is beyond the whole numbers that JavaScript holds exactly`)
  }
  return value
}

const networkSlackMs = 5_000
const int8 = 20
const numeric = 1700

const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format: 'text' | 'binary' = 'text') =>
  format === 'text' && (oid === int8 || oid === numeric)
    ? parseNumber
    : // `pg` declares one overload for each format.
      pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser

const poolConfig = (options: PostgresOptions): pg.PoolConfig => ({
  ...connectionConfig(options.url, options.applicationName),
  max: options.maxConnections,
  connectionTimeoutMillis: options.acquireTimeoutMs,
  idleTimeoutMillis: 30_000,
  // The server's own limit comes first; this one is for a server that no longer answers at all.
  query_timeout: options.transactionTimeoutMs + networkSlackMs,
})

async function maintain(options: PostgresOptions, statement: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({
    ...connectionConfig(options.url, options.applicationName),
    connectionTimeoutMillis: options.acquireTimeoutMs,
  })
  // A statement on a broken connection fails too, so nothing is done here.
  client.on('error', () => undefined)
  const leave = () => void client.end()
  signal.throwIfAborted()
  signal.addEventListener('abort', leave)
  try {
    await client.connect()
    await client.query(statement)
  } catch (error) {
    throw clearError(error)
  } finally {
    signal.removeEventListener('abort', leave)
    await client.end()
  }
}

async function connect(pool: pg.Pool, limits: StatementLimits): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw clearError(error)
  })
  let broken = false
  const query = async (text: string, parameters: readonly unknown[]) => {
    try {
      return await limits.query(client, text, parameters)
    } catch (error) {
      const clear = clearError(error)
      if (clear !== error && !isServerReply(error)) broken = true
      throw clear
    }
  }
  return {
    // Kysely's interface also has a form with a cursor. Only its streams use that form, and we have no streams.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken),
  }
}

const sqlState = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** Serialization failure and deadlock. */
const isCrossed = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error))

const isServerReply = (error: unknown): boolean => error instanceof pg.DatabaseError

/** Connection lost or refused (08, 57P, socket errors), no connection or disk left (53), too slow (57014, 55P03). */
const unavailableStates = /^(08...|53...|57P..|57014|55P03|58030|25P03|25006|E[A-Z]+)$/
const lostConnection =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout|Client has encountered a connection error/

function clearError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const unavailable = unavailableStates.test(sqlState(error)) || lostConnection.test(error.message)
  return unavailable ? databaseUnavailable('PostgreSQL cannot be reached', error) : error
}

// PostgreSQL's time limits are sent with each transaction, and with each statement outside of one. A pooler before
// the server gives every transaction another connection, so no limit can be set for a session.

type StatementLimits = {
  /** Sends one statement. If it begins a transaction or stands alone, its limits are sent in the same round trip. */
  query(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult>
}

function createStatementLimits(options: {
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
  // Unlike a SELECT, SET LOCAL takes no snapshot: the transaction's snapshot begins with its own first statement.
  const ofTransaction = Object.entries(limits).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
  // Unlike SET LOCAL, `set_config` gives no warning if no transaction was begun.
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

/** Members of `pg`'s own classes that its types leave out. */
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

/** Sends two statements together. Only one Sync follows, so they are one transaction. Drops the first result. */
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
