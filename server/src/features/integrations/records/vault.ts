/** Encrypts the credentials of connections for the database, and decrypts them again. */
import type { Scope } from '../../../platform/caller.ts'
import type { Seals } from '../../../platform/crypto/seals.ts'

export type Credentials =
  | {
      kind: 'oauth2'
      accessToken: string
      refreshToken: string | null
      /** The OAuth client that the tokens were given to. Connections made before it was kept lack it. */
      clientId?: string | undefined
      /**
       * The token endpoint that gave the tokens, if the connected server named it. The server may name another
       * service later.
       */
      tokenUrl?: string | undefined
    }
  | { kind: 'api_key'; apiKey: string }
  | { kind: 'headers'; headers: Record<string, string> }
  | { kind: 'basic'; username: string; password: string }

/** What OAuth tokens are bound to. */
export type GivenTo = Pick<Extract<Credentials, { kind: 'oauth2' }>, 'clientId' | 'tokenUrl'>

/** The sealed field for the secret of a client that was registered for one connection. */
export const clientSecretField = (connectionId: string): string => `${connectionId}|client_secret`

export type Vault = ReturnType<typeof createVault>

export function createVault(seals: Seals) {
  return {
    /** Bound to the connection: what is sealed for one connection opens for no other. */
    seal: (scope: Scope, id: string, credentials: Credentials): Promise<string> =>
      seals.seal(scope, `${id}|credentials`, JSON.stringify(credentials)),
    // Only `seal` makes texts that can be decrypted.
    open: async (scope: Scope, id: string, sealed: string): Promise<Credentials> =>
      JSON.parse(await seals.open(scope, `${id}|credentials`, sealed)) as Credentials,
    sealClientSecret: (scope: Scope, id: string, secret: string): Promise<string> =>
      seals.seal(scope, clientSecretField(id), secret),
    openClientSecret: (scope: Scope, id: string, sealed: string): Promise<string> =>
      seals.open(scope, clientSecretField(id), sealed),
    sealVerifier: (scope: Scope, id: string, verifier: string): Promise<string> =>
      seals.seal(scope, `${id}|code_verifier`, verifier),
    openVerifier: (scope: Scope, id: string, sealed: string): Promise<string> =>
      seals.open(scope, `${id}|code_verifier`, sealed),
    sealDeviceCode: (scope: Scope, id: string, code: string): Promise<string> =>
      seals.seal(scope, `${id}|device_code`, code),
    openDeviceCode: (scope: Scope, id: string, sealed: string): Promise<string> =>
      seals.open(scope, `${id}|device_code`, sealed),
  }
}
