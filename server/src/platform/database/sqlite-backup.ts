/** A copy of an SQLite file that is whole, made while others go on working with it. */
import { closeSync, openSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/** `target` appears once the copy is complete, and replaces what was there. */
export async function backUpSqlite(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    closeSync(openSync(`${target}.part`, 'a', 0o600))
    await backup(source, `${target}.part`)
    await rename(`${target}.part`, target)
  } finally {
    source.close()
  }
}
