/** A device that waits until a person confirms its code on another device (RFC 8628): the command line. */
import { randomInt } from 'node:crypto'
import { addressKey } from '../../platform/client-address.ts'
import { type Clock, minuteMs, secondMs, toTimestamp } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Attempts } from './attempts.ts'
import { apiPermissions, permissionsOf } from './authorization-request.ts'
import { commandLine, maxClientIdLength } from './clients.ts'
import {
  type AppRequest,
  badGrant,
  checkSame,
  type Decider,
  type Giving,
  type Grants,
  type Outcome,
} from './grants.ts'
import { OAuthError, optional, required } from './oauth-error.ts'
import type { DeviceDecision, Question } from './schemas.ts'
import { deviceHash, maxSecretLength, userCodeHash } from './secrets.ts'
import {
  countDevices,
  decideDevice,
  deleteDevices,
  findDevice,
  findWaitingDevice,
  insertDevice,
  listDevices,
  notePoll,
  useDevice,
} from './store.ts'

export type DeviceService = ReturnType<typeof createDeviceService>

const deviceMs = 10 * minuteMs
const pollSeconds = 5
const maxPollSeconds = 60
/** A device that waits for the given interval may still ask a little early. */
const earlySeconds = 1
const maxDevices = 10_000
/** Limits of one deletion that makes room. */
const fewestDeleted = 100
const maxDeleted = 500
const begun = { tries: 30, windowMs: 10 * minuteMs }
const typed = { tries: 20, windowMs: 15 * minuteMs }
/** No vowels, so that codes form no words, and no letters that look alike (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 8

type Dependencies = {
  database: Database
  keyring: Keyring
  clock: Clock
  attempts: Attempts
  giving: Giving
  grants: Grants
  publicUrl: () => string
}

/** The endpoints for the device, and the decisions of its person. */
export const createDeviceService = (dependencies: Dependencies) => ({
  ...createDeviceEndpoints(dependencies),
  ...createDeviceConsent(dependencies),
})

function createDeviceEndpoints({ database, keyring, clock, attempts, grants, publicUrl }: Dependencies) {
  return {
    /** Returns the person's code and the code for the device's own requests (RFC 8628, 3.2). Throws an OAuthError. */
    async begin(form: URLSearchParams, { address }: AppRequest) {
      if (required(form, 'client_id', maxClientIdLength) !== commandLine.id) {
        throw new OAuthError('unauthorized_client', `Only the client_id ${commandLine.id} may do this`)
      }
      const permissions = permissionsOf(optional(form, 'scope', 1_000), apiPermissions)
      await attempts.spend(['device', addressKey(address)], begun)
      const deviceCode = randomToken(32)
      const insert = (userCode: string): Promise<boolean> =>
        database.write(async tx => {
          if ((await countDevices(tx, maxDevices)) >= maxDevices) await makeRoom(tx)
          return insertDevice(tx, {
            device_hash: deviceHash(keyring, deviceCode),
            user_code_hash: userCodeHash(keyring, userCode),
            client_id: commandLine.id,
            permissions: encodeJson(permissions),
            address,
            status: 'pending',
            key_id: null,
            polled_at: null,
            interval_seconds: pollSeconds,
            created_at: clock(),
            expires_at: clock() + deviceMs,
          })
        })
      let userCode = newUserCode()
      // At most ten thousand of 25 billion codes are taken.
      while (!(await insert(userCode))) userCode = newUserCode()
      const page = `${publicUrl()}/device`
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: deviceMs / secondMs,
        interval: pollSeconds,
      }
    },

    /** Returns the device's tokens once the person has agreed. */
    async poll(form: URLSearchParams, request: AppRequest): Promise<Outcome> {
      const hash = deviceHash(keyring, required(form, 'device_code', maxSecretLength))
      const clientId = required(form, 'client_id', maxClientIdLength)
      return database.write(async tx => {
        const now = clock()
        const device = await findDevice(tx, hash)
        if (device === undefined || device.client_id !== clientId)
          return badGrant('The device_code is not valid')
        if (device.expires_at <= now) return new OAuthError('expired_token', 'The device_code has expired')
        if (device.status === 'denied') return new OAuthError('access_denied', 'The person has refused')
        if (device.key_id === null) {
          const isEarly = now < (device.polled_at ?? 0) + (device.interval_seconds - earlySeconds) * secondMs
          const interval = Math.min(maxPollSeconds, device.interval_seconds + (isEarly ? pollSeconds : 0))
          await notePoll(tx, hash, { polled_at: now, interval_seconds: interval })
          return isEarly
            ? new OAuthError('slow_down', `Ask every ${interval} s`)
            : new OAuthError('authorization_pending', 'The person has not decided yet')
        }
        if (!(await useDevice(tx, hash))) {
          await grants.end(tx, device.key_id, 'code_used_twice', request)
          return badGrant('The device_code was used before')
        }
        const grant = await grants.findLiving(tx, device.key_id)
        return grant instanceof OAuthError ? grant : grants.issue(tx, grant, clientId)
      })
    },
  }
}

/**
 * Deletes the older half of the devices of the network that has the most: a stranger who floods keeps no other
 * network out. The search reads all devices. If that half is small, the next networks make room too.
 */
async function makeRoom(tx: Tx): Promise<void> {
  const networks = new Map<string, string[]>()
  for (const { device_hash: hash, address } of await listDevices(tx, maxDevices)) {
    const network = addressKey(address, 48)
    const known = networks.get(network)
    if (known === undefined) networks.set(network, [hash])
    else known.push(hash)
  }
  const deleted: string[] = []
  for (const hashes of [...networks.values()].sort((one, other) => other.length - one.length)) {
    if (deleted.length >= fewestDeleted) break
    deleted.push(...hashes.slice(0, Math.ceil(hashes.length / 2)))
  }
  await deleteDevices(tx, deleted.slice(0, maxDeleted))
}

function createDeviceConsent({ database, keyring, clock, attempts, giving }: Dependencies) {
  const find = async ({ userId }: Pick<Decider, 'userId'>, userCode: string) => {
    await attempts.spend(['user-code', userId], typed)
    const hash = userCodeHash(keyring, userCode)
    const device = await findWaitingDevice(database.read, hash, clock())
    if (device === undefined) {
      const message = 'No device waits with this code. Look for a typing error, or start again at the device.'
      throw invalidField('userCode', message)
    }
    return { device, hash, asked: decodeJson(device.permissions) }
  }
  return {
    /** Throws a 400 for `userCode` if no device waits with this code, and `rate_limited` after many tries. */
    async ask(decider: Pick<Decider, 'userId'>, userCode: string): Promise<Question> {
      const { device, asked } = await find(decider, userCode)
      return {
        name: commandLine.name,
        provenHost: null,
        redirectHost: null,
        redirectUri: null,
        isOnThisComputer: false,
        permissions: asked,
        device: { address: device.address, askedAt: toTimestamp(device.created_at) },
        refusal: null,
      }
    },

    async decide(decider: Decider, { userCode, userId, grant }: DeviceDecision): Promise<void> {
      checkSame(decider, userId)
      const { asked, hash } = await find(decider, userCode)
      const receiver = { client: commandLine, host: '', audience: 'api' as const, asked, lastsMs: deviceMs }
      const give = grant === null ? null : await giving.prepare(decider, grant, receiver)
      await database.write(async tx => {
        const keyId = give === null ? null : (await give(tx)).id
        const decided = { status: keyId === null ? 'denied' : 'approved', key_id: keyId } as const
        if (await decideDevice(tx, hash, decided, clock())) return
        throw invalidField(
          'userCode',
          'The code has expired or was used meanwhile. Start again at the device.',
        )
      })
    },
  }
}

/** Such as `WDJB-MJHT`. */
function newUserCode(): string {
  const code = Array.from({ length: codeLength }, () => letters.charAt(randomInt(letters.length))).join('')
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`
}
