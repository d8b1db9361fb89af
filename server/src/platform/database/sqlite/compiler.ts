/** The text of statements, as SQLite takes it. */
import { type SelectModifierNode, SqliteQueryCompiler } from 'kysely'

const locks: readonly unknown[] = ['ForUpdate', 'ForKeyShare', 'SkipLocked']

/** Leaves locks of rows out: a transaction that writes is alone in the database anyway. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!locks.includes(node.modifier)) super.visitSelectModifier(node)
  }
}
