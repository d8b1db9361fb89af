/** A database whose every change joins one transaction, for services that otherwise begin their own. */
import type { Database, Tx } from './database.ts'

/** All that is read and written belongs to `tx`: it is committed with it, or not at all. */
export const joinedTo = (database: Database, tx: Tx): Database => ({
  ...database,
  // A reader in another thread would not see the changes.
  file: null,
  read: tx,
  snapshot: (_owner, work) => work(tx),
  write: work => work(tx),
})
