/**
 * The one writer of an SQLite file. Units of work take turns on its connection. Units that arrive together are
 * committed together, so that they share one fsync. Each unit is a savepoint: a unit that fails takes back its own
 * changes only. A caller learns how its unit ended once the commit that decides it is on the disk.
 * (Foreign keys must not be deferred: they would be checked at the common commit and fail the other units too.)
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { databaseUnavailable } from '../../errors.ts'
import { isBusy, type SqliteConnection } from './connection.ts'
import type { SqliteLog } from './log.ts'

export type WriterLimits = {
  /** The longest wait for a turn. */
  acquireTimeoutMs: number
  /** The longest time that a unit may keep its turn before it is rolled back. */
  transactionTimeoutMs: number
  /** The longest time that a group takes in units; 10 ms unless given. */
  groupMs?: number | undefined
}

/** Units that will be committed together. */
type Group = { fullAtMs: number; units: number; commitScheduled: boolean; end: PromiseWithResolvers<void> }

type Waiter = { alone: boolean; deadlineMs: number; turn: PromiseWithResolvers<Group | null> }

const defaultGroupMs = 10
const maxGroupUnits = 100
const busyRetryMs = 3
/** A turn of the event loop that is shorter than this had nothing to do. */
const idleTurnMs = 0.1

export class SqliteWriter {
  readonly #connection: SqliteConnection
  readonly #log: SqliteLog | null
  readonly #limits: WriterLimits
  readonly #waiting: Waiter[] = []
  /** True while a unit or a single statement has the turn. */
  #held = false
  #group: Group | null = null
  #busyRetry: NodeJS.Timeout | null = null
  #closed: PromiseWithResolvers<void> | null = null

  /** Without a log nothing is flushed: for tests only. */
  constructor(connection: SqliteConnection, log: SqliteLog | null, limits: WriterLimits) {
    this.#connection = connection
    this.#log = log
    this.#limits = limits
  }

  /** Resolves when the unit has its turn; throws `unavailable` after `acquireTimeoutMs`. */
  async begin(): Promise<WriteUnit> {
    const group = await this.#takeTurn(false)
    if (group === null) throw new Error('A unit was given a turn without a group')
    const release = () => this.#release()
    return beginUnit(this.#connection, group.end.promise, release, this.#limits.transactionTimeoutMs)
  }

  /** Runs one statement by itself, outside of any transaction. */
  async runAlone(text: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    const result = await this.#runInTurn(text, parameters)
    await this.#log?.flush()
    return result
  }

  /** Refuses all that wait, lets the unit in progress end, commits, and closes the connection. */
  async close(): Promise<void> {
    if (this.#closed === null) {
      this.#closed = Promise.withResolvers()
      for (const waiter of this.#waiting.splice(0)) waiter.turn.reject(closedError())
      this.#advance()
      await this.#closed.promise
      await this.#log?.close()
      this.#connection.close()
    }
    await this.#closed.promise
  }

  async #runInTurn(text: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    const deadlineMs = performance.now() + this.#limits.acquireTimeoutMs
    await this.#takeTurn(true)
    try {
      for (;;) {
        try {
          this.#log?.settle(this.#connection)
          return this.#connection.run(text, parameters)
        } catch (error) {
          if (!isBusy(error) || performance.now() > deadlineMs) throw error
          await sleep(busyRetryMs)
        }
      }
    } finally {
      this.#release()
    }
  }

  async #takeTurn(alone: boolean): Promise<Group | null> {
    if (this.#closed !== null) throw closedError()
    const { acquireTimeoutMs } = this.#limits
    const waiter: Waiter = {
      alone,
      deadlineMs: performance.now() + acquireTimeoutMs,
      turn: Promise.withResolvers(),
    }
    this.#waiting.push(waiter)
    this.#advance()
    if (!this.#waiting.includes(waiter)) return waiter.turn.promise
    const timer = setTimeout(() => this.#giveUp(waiter), acquireTimeoutMs)
    return waiter.turn.promise.finally(() => clearTimeout(timer))
  }

  #giveUp(waiter: Waiter): void {
    const place = this.#waiting.indexOf(waiter)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    const reason = `The writer was not free within ${this.#limits.acquireTimeoutMs} ms`
    waiter.turn.reject(databaseUnavailable(reason))
  }

  /** Gives a free turn to the waiter that has waited longest. Called after everything that may free the turn. */
  #advance(): void {
    if (this.#held || this.#busyRetry !== null) return
    if (this.#group !== null && !this.#connection.inTransaction()) this.#endGroup(this.#group)
    const next = this.#waiting[0]
    if (this.#group !== null && (next === undefined || next.alone || this.#isFull(this.#group))) {
      this.#commitSoon(this.#group)
    } else if (next === undefined) {
      this.#closed?.resolve()
    } else if (next.alone) {
      this.#grant(next, null)
    } else {
      this.#grantInGroup(next)
    }
  }

  #grantInGroup(next: Waiter): void {
    try {
      this.#group ??= this.#beginGroup()
    } catch (error) {
      if (isBusy(error) && performance.now() < next.deadlineMs) {
        this.#retrySoon()
      } else {
        this.#waiting.shift()
        next.turn.reject(error)
        this.#advance()
      }
      return
    }
    this.#group.units++
    this.#grant(next, this.#group)
  }

  #grant(next: Waiter, group: Group | null): void {
    this.#waiting.shift()
    this.#held = true
    next.turn.resolve(group)
  }

  #release(): void {
    this.#held = false
    this.#advance()
  }

  // Another process writes. A timer waits here instead of SQLite, so that the event loop goes on.
  #retrySoon(): void {
    this.#busyRetry = setTimeout(() => {
      this.#busyRetry = null
      this.#advance()
    }, busyRetryMs)
  }

  #beginGroup(): Group {
    this.#log?.settle(this.#connection)
    this.#connection.run('BEGIN IMMEDIATE', [])
    const end = Promise.withResolvers<void>()
    // If every unit has failed already, no caller awaits the group's end.
    end.promise.catch(() => undefined)
    const fullAtMs = performance.now() + (this.#limits.groupMs ?? defaultGroupMs)
    return { fullAtMs, units: 0, commitScheduled: false, end }
  }

  /** During a flush, time does not fill the group: the group's own flush could not begin yet. */
  #isFull({ units, fullAtMs }: Group): boolean {
    if (units >= maxGroupUnits) return true
    return performance.now() > fullAtMs && (this.#log?.flushing() ?? null) === null
  }

  // The commit waits for a turn of the event loop with nothing else to do: a unit that is ready by then shares the
  // commit. An idle loop gets there at once. A loop that never rests commits when the group is full.
  #commitSoon(group: Group, turnAtMs: number | null = null): void {
    if (group.commitScheduled) return
    group.commitScheduled = true
    const flushing = this.#log?.flushing() ?? null
    if (flushing !== null) {
      // The group's own flush cannot begin before this flush has ended. Until then other units may join.
      void flushing.then(() => {
        group.commitScheduled = false
        this.#advance()
      })
      return
    }
    setImmediate(() => {
      group.commitScheduled = false
      const nowMs = performance.now()
      // The first turn had begun already. Only the next one tells how long a whole turn takes.
      const isIdle = turnAtMs !== null && nowMs - turnAtMs < idleTurnMs
      const isOurs = this.#group === group && !this.#held
      if (isOurs && !isIdle && !this.#isFull(group) && this.#waiting.length === 0 && this.#closed === null) {
        this.#commitSoon(group, nowMs)
        return
      }
      if (isOurs) this.#endGroup(group)
      this.#advance()
    })
  }

  #endGroup(group: Group): void {
    this.#group = null
    try {
      if (!this.#connection.inTransaction()) throw rolledBackError()
      this.#connection.run('COMMIT', [])
      group.end.resolve(this.#log?.flush())
    } catch (error) {
      group.end.reject(error)
      if (this.#connection.inTransaction()) this.#connection.run('ROLLBACK', [])
    }
  }
}

const closedError = () => databaseUnavailable('The database is closed')
const rolledBackError = () => databaseUnavailable('The engine rolled the transaction back')

// A unit of work on the writer's connection: a savepoint inside the transaction that it shares with others.

export type WriteUnit = {
  run(text: string, parameters: readonly unknown[]): QueryResult<unknown>
  /** Resolves once the changes are on the disk. */
  commit(): Promise<void>
  /** Resolves once the changes that the unit may have read are decided as well. */
  rollback(): Promise<void>
}

/**
 * Begins a unit that has the turn. `committed` settles with the shared transaction; `release` passes the turn on. A
 * unit that keeps its turn longer than `timeoutMs` is rolled back, and its further statements are refused.
 */
function beginUnit(
  connection: SqliteConnection,
  committed: Promise<void>,
  release: () => void,
  timeoutMs: number,
): WriteUnit {
  let refusal: Error | null = null

  const end = (statements: readonly string[]): void => {
    clearTimeout(timer)
    refusal ??= new Error('The transaction has ended: its `tx` was used after its work had resolved')
    try {
      // After an error such as a full disk the engine has rolled back everything by itself.
      if (connection.inTransaction()) for (const statement of statements) connection.run(statement, [])
    } finally {
      release()
    }
  }

  const timer = setTimeout(() => {
    refusal = databaseUnavailable(`The transaction took longer than ${timeoutMs} ms and was rolled back`)
    end(rollbackStatements)
  }, timeoutMs)

  try {
    connection.run('SAVEPOINT unit', [])
  } catch (error) {
    end([])
    throw error
  }

  return {
    run: (text, parameters) => {
      if (refusal !== null) throw refusal
      if (!connection.inTransaction()) throw databaseUnavailable('The engine rolled the transaction back')
      return connection.run(text, parameters)
    },
    commit: async () => {
      if (refusal !== null) throw refusal
      end(['RELEASE unit'])
      await committed
    },
    rollback: async () => {
      if (refusal === null) end(rollbackStatements)
      // The other units report their failed commit; this unit has failed anyway.
      await committed.catch(() => undefined)
    },
  }
}

const rollbackStatements = ['ROLLBACK TO unit', 'RELEASE unit']
