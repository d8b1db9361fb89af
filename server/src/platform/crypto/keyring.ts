/** The keys that protect stored data, all derived from one master secret: keyed hashes and envelope encryption. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { createBoundedMap } from '../caches/caches.ts'

/** What a keyed hash is for. Each purpose has its own key, so a hash for one purpose never passes for another. */
export type HashPurpose = 'api-key' | 'token' | 'session' | 'sign-in' | 'person-token'

/** `field` names the encrypted text, such as `con_….credentials`. A text moved to another field does not decrypt. */
type SealedField = { workspaceId: string; wrappedKey: string; field: string }

export type Keyring = {
  /** The version of new hashes. It is stored beside each hash, so that a later version invalidates none. */
  readonly pepperVersion: number
  /** HMAC-SHA-256 in hexadecimal; the same text, purpose and version always give the same hash. */
  keyedHash(purpose: HashPurpose, text: string, version?: number): string
  /** A fresh data key for a workspace, encrypted under the master key and bound to that workspace. */
  newDataKey(workspaceId: string): string
  /** AES-256-GCM under the workspace's data key, bound to the workspace and the field. */
  encrypt(value: SealedField & { text: string }): string
  /** The decrypted text. Throws if the key, the workspace, the field or one bit of `sealed` differs. */
  decrypt(value: SealedField & { sealed: string }): string
  /** For secrets that belong to no workspace: encrypted under the master key itself, bound to the field. */
  sealSystem(field: string, text: string): string
  openSystem(field: string, sealed: string): string
  /**
   * Like `sealSystem`, but the text outlives the master secret: no rotation moves it. It begins with the key's
   * version.
   */
  sealLasting(field: string, text: string): string
  openLasting(field: string, sealed: string): string
}

/** Peppers of earlier master secrets, by name, in base64url; `version` is how many secrets there have been. */
export type EarlierPeppers = { version: number; peppers: Readonly<Record<string, string>> }

export const noEarlierPeppers: EarlierPeppers = { version: 1, peppers: {} }

/** Hashes that are looked up without a version beside them. Their pepper stays when the master secret changes. */
const lookupPurposes: readonly HashPurpose[] = ['token', 'session']

export const minimumSecretLength = 32
const maxCachedDataKeys = 1_000

/** Throws if the master secret is shorter than 32 characters. */
export function createKeyring(masterSecret: string, earlier = noEarlierPeppers): Keyring {
  if (masterSecret.length < minimumSecretLength) {
    throw new Error(`The master secret must have at least ${minimumSecretLength} characters`)
  }
  // Kept as key objects: a hash with a key made from a buffer costs eight times as much.
  const peppers = createBoundedMap<KeyObject>(maxCachedDataKeys)
  const dataKeys = createBoundedMap<Buffer>(maxCachedDataKeys)
  const wrappingKey = deriveKey(masterSecret, 'data-keys')
  const systemKey = deriveKey(masterSecret, 'system')

  const pepperOf = (purpose: HashPurpose, version: number): KeyObject => {
    const name = pepperName(purpose, version)
    return peppers.get(name) ?? peppers.set(name, createSecretKey(pepperBytes(masterSecret, earlier, name)))
  }
  const lastingKey = (version: number): Buffer =>
    createHmac('sha256', pepperOf('sign-in', version)).update('sealed').digest()
  const unwrap = (workspaceId: string, wrappedKey: string): Buffer => {
    // The name includes the workspace: a cached key must not skip the check that it belongs to this workspace.
    const name = `${workspaceId}|${wrappedKey}`
    return dataKeys.get(name) ?? dataKeys.set(name, open(wrappingKey, workspaceId, wrappedKey))
  }

  return {
    pepperVersion: earlier.version,
    keyedHash: (purpose, text, version = lookupPurposes.includes(purpose) ? 1 : earlier.version) =>
      createHmac('sha256', pepperOf(purpose, version)).update(text).digest('hex'),
    newDataKey: workspaceId => seal(wrappingKey, workspaceId, randomBytes(32)),
    encrypt: ({ workspaceId, wrappedKey, field, text }) =>
      seal(unwrap(workspaceId, wrappedKey), `${workspaceId}|${field}`, Buffer.from(text)),
    decrypt: ({ workspaceId, wrappedKey, field, sealed }) =>
      open(unwrap(workspaceId, wrappedKey), `${workspaceId}|${field}`, sealed).toString(),
    sealSystem: (field, text) => seal(systemKey, field, Buffer.from(text)),
    openSystem: (field, sealed) => open(systemKey, field, sealed).toString(),
    sealLasting(field, text) {
      const { version } = earlier
      return `${version}.${seal(lastingKey(version), field, Buffer.from(text))}`
    },
    openLasting(field, sealed) {
      const [, version, text = ''] = /^(\d{1,9})\.(.*)$/.exec(sealed) ?? []
      return open(lastingKey(Number(version)), field, text).toString()
    },
  }
}

/** What a new master secret takes over from the old one. */
export type Rotation = {
  /** The data key, wrapped under the new secret; the workspace's texts stay. Throws if the old secret is wrong. */
  dataKey(workspaceId: string, wrappedKey: string): string
  /** The same for texts that `sealSystem` encrypted. */
  system(field: string, sealed: string): string
  /** The old peppers, which keep hashed keys, links and second factors valid. */
  earlier: EarlierPeppers
}

export function createRotation(oldSecret: string, earlier: EarlierPeppers, newSecret: string): Rotation {
  const move = (name: string, associatedData: string, sealed: string): string =>
    seal(deriveKey(newSecret, name), associatedData, open(deriveKey(oldSecret, name), associatedData, sealed))
  const kept = [
    ...lookupPurposes.map(purpose => pepperName(purpose, 1)),
    ...(['api-key', 'sign-in'] as const).map(purpose => pepperName(purpose, earlier.version)),
  ]
  const added = kept.map(name => [name, pepperBytes(oldSecret, earlier, name).toString('base64url')])
  return {
    dataKey: (workspaceId, wrappedKey) => move('data-keys', workspaceId, wrappedKey),
    system: (field, sealed) => move('system', field, sealed),
    earlier: {
      version: earlier.version + 1,
      peppers: { ...earlier.peppers, ...Object.fromEntries(added) },
    },
  }
}

const pepperName = (purpose: HashPurpose, version: number): string => `hash/${purpose}/${version}`

function pepperBytes(masterSecret: string, { peppers }: EarlierPeppers, name: string): Buffer {
  const kept = peppers[name]
  return kept === undefined ? deriveKey(masterSecret, name) : Buffer.from(kept, 'base64url')
}

/** HKDF-SHA-256: independent keys from one secret, one for each name. */
const deriveKey = (masterSecret: string, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterSecret, 'atrium', name, 32))

const formatPrefix = 'v1.'
const nonceLength = 12
const tagLength = 16

/** `v1.`, then the nonce, the ciphertext and the authentication tag in base64url. */
function seal(key: Buffer, associatedData: string, plain: Buffer): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(associatedData))
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()])
  return formatPrefix + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')
}

function open(key: Buffer, associatedData: string, sealed: string): Buffer {
  if (!sealed.startsWith(formatPrefix)) throw new Error('The encrypted text has an unknown format')
  const bytes = Buffer.from(sealed.slice(formatPrefix.length), 'base64url')
  if (bytes.length < nonceLength + tagLength) throw new Error('The encrypted text is cut short')
  const nonce = bytes.subarray(0, nonceLength)
  const tag = bytes.subarray(bytes.length - tagLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(associatedData))
  decipher.setAuthTag(tag)
  const ciphertext = bytes.subarray(nonceLength, bytes.length - tagLength)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}
