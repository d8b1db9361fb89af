/** Credentials on their way into the database and out of it: only here are they text. */
import type { Scope } from '../../platform/caller.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'

export type Credentials =
  | { kind: 'oauth2'; accessToken: string; refreshToken: string | null }
  | { kind: 'api_key'; apiKey: string }

export type Vault = {
  /** Encrypted under the workspace's data key and bound to the connection: sealed for one, it opens for no other. */
  seal(scope: Scope, connectionId: string, credentials: Credentials): Promise<string>
  open(scope: Scope, connectionId: string, sealed: string): Promise<Credentials>
  sealVerifier(scope: Scope, connectionId: string, verifier: string): Promise<string>
  openVerifier(scope: Scope, connectionId: string, sealed: string): Promise<string>
}

/** `dataKeyOf` gives a workspace's wrapped data key; it reads the database, so no verb belongs inside a transaction. */
export function createVault(dependencies: {
  keyring: Keyring
  dataKeyOf: (workspaceId: string) => Promise<string>
}): Vault {
  const { keyring, dataKeyOf } = dependencies
  const place = async ({ workspaceId }: Scope, field: string) => ({
    workspaceId,
    wrappedKey: await dataKeyOf(workspaceId),
    field,
  })
  const seal = async (scope: Scope, field: string, text: string): Promise<string> =>
    keyring.encrypt({ ...(await place(scope, field)), text })
  const open = async (scope: Scope, field: string, sealed: string): Promise<string> =>
    keyring.decrypt({ ...(await place(scope, field)), sealed })

  return {
    seal: (scope, id, credentials) => seal(scope, `${id}|credentials`, JSON.stringify(credentials)),
    // Nobody but `seal` can have made what decrypts.
    open: async (scope, id, sealed) =>
      JSON.parse(await open(scope, `${id}|credentials`, sealed)) as Credentials,
    sealVerifier: (scope, id, verifier) => seal(scope, `${id}|code_verifier`, verifier),
    openVerifier: (scope, id, sealed) => open(scope, `${id}|code_verifier`, sealed),
  }
}
