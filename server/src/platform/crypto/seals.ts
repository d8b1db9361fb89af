/** Encrypts a workspace's secrets for the database and decrypts them: only here are they plain text. */
import type { Scope } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { found } from '../errors.ts'
import type { Keyring } from './keyring.ts'

/** A text is encrypted under the workspace's data key and bound to its field: no other field decrypts it. */
export type Seals = {
  seal(scope: Scope, field: string, text: string): Promise<string>
  open(scope: Scope, field: string, sealed: string): Promise<string>
}

/** Both functions read the workspace's data key from the database, so do not call them inside a transaction. */
export function createSeals({ keyring, database }: { keyring: Keyring; database: Database }): Seals {
  const place = async ({ workspaceId }: Scope, field: string) => ({
    workspaceId,
    wrappedKey: await readDataKey(database, workspaceId),
    field,
  })
  return {
    seal: async (scope, field, text) => keyring.encrypt({ ...(await place(scope, field)), text }),
    open: async (scope, field, sealed) => keyring.decrypt({ ...(await place(scope, field)), sealed }),
  }
}

async function readDataKey({ read }: Database, workspaceId: string): Promise<string> {
  const row = found(
    await read.selectFrom('workspaces').select('data_key').where('id', '=', workspaceId).executeTakeFirst(),
  )
  return row.data_key
}
