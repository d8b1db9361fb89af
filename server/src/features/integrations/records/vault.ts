/** Credentials of connections on their way into the database and out of it. */
import type { Scope } from '../../../platform/caller.ts'
import type { Seals } from '../../../platform/crypto/seals.ts'

export type Credentials =
  | {
      kind: 'oauth2'
      accessToken: string
      refreshToken: string | null
      /** The OAuth client that they were given to; connections made before it was kept lack it. */
      clientId?: string | undefined
    }
  | { kind: 'api_key'; apiKey: string }
  | { kind: 'basic'; username: string; password: string }

export type Vault = {
  /** Bound to the connection: sealed for one, it opens for no other. */
  seal(scope: Scope, connectionId: string, credentials: Credentials): Promise<string>
  open(scope: Scope, connectionId: string, sealed: string): Promise<Credentials>
  sealVerifier(scope: Scope, connectionId: string, verifier: string): Promise<string>
  openVerifier(scope: Scope, connectionId: string, sealed: string): Promise<string>
  sealDeviceCode(scope: Scope, connectionId: string, deviceCode: string): Promise<string>
  openDeviceCode(scope: Scope, connectionId: string, sealed: string): Promise<string>
}

export function createVault(seals: Seals): Vault {
  return {
    seal: (scope, id, credentials) => seals.seal(scope, `${id}|credentials`, JSON.stringify(credentials)),
    // Only `seal` can have made what decrypts.
    open: async (scope, id, sealed) =>
      JSON.parse(await seals.open(scope, `${id}|credentials`, sealed)) as Credentials,
    sealVerifier: (scope, id, verifier) => seals.seal(scope, `${id}|code_verifier`, verifier),
    openVerifier: (scope, id, sealed) => seals.open(scope, `${id}|code_verifier`, sealed),
    sealDeviceCode: (scope, id, code) => seals.seal(scope, `${id}|device_code`, code),
    openDeviceCode: (scope, id, sealed) => seals.open(scope, `${id}|device_code`, sealed),
  }
}
