/** Secrets of a workspace on their way into the database and out of it: only here are they text. */
import type { Scope } from '../caller.ts'
import type { Keyring } from './keyring.ts'

/** A text is encrypted under the workspace's data key and bound to its field: sealed for one, it opens for no other. */
export type Seals = {
  seal(scope: Scope, field: string, text: string): Promise<string>
  open(scope: Scope, field: string, sealed: string): Promise<string>
}

/** `dataKeyOf` gives a workspace's wrapped data key; it reads the database, so no verb belongs inside a transaction. */
export function createSeals({
  keyring,
  dataKeyOf,
}: {
  keyring: Keyring
  dataKeyOf: (workspaceId: string) => Promise<string>
}): Seals {
  const place = async ({ workspaceId }: Scope, field: string) => ({
    workspaceId,
    wrappedKey: await dataKeyOf(workspaceId),
    field,
  })
  return {
    seal: async (scope, field, text) => keyring.encrypt({ ...(await place(scope, field)), text }),
    open: async (scope, field, sealed) => keyring.decrypt({ ...(await place(scope, field)), sealed }),
  }
}
