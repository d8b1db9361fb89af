/** A unit of work on the writer's connection: a savepoint inside the transaction that it shares with others. */

import type { QueryResult } from 'kysely'
import { databaseUnavailable } from '../../errors.ts'
import type { SqliteConnection } from './connection.ts'

export type WriteUnit = {
  run(text: string, parameters: readonly unknown[]): QueryResult<unknown>
  /** Resolves once the changes are on the disk. */
  commit(): Promise<void>
  /** Resolves once what the unit may have read is decided as well. */
  rollback(): Promise<void>
}

/**
 * Begins a unit whose turn it is. `committed` settles with the shared transaction; `release` gives the turn
 * on. A unit that keeps its turn longer than `timeoutMs` is rolled back, and what it still tries is refused.
 */
export function beginUnit(
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
      // Others' failed commit is theirs to report; this unit failed anyway.
      await committed.catch(() => undefined)
    },
  }
}

const rollbackStatements = ['ROLLBACK TO unit', 'RELEASE unit']
