/**
 * Passwords: which are accepted, and the slow hash that is stored. A few are hashed at a time, beside the event loop.
 */
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { addressKey } from '../client-address.ts'
import { invalidField, ServiceError } from '../errors.ts'
import { createFairQueue, createTally } from '../fair-queue.ts'
import { isSame } from './tokens.ts'

export const minPasswordLength = 10
export const maxPasswordLength = 128

/**
 * `address` is the client's. Addresses take turns, so that many tries from one delay another by one hash. Work without a
 * client takes turns as one address.
 */
export type Passwords = {
  /** Throws `unavailable` if too many wait already. */
  hash(password: string, address?: string | null): Promise<string>
  verify(password: string, hash: string, address?: string | null): Promise<boolean>
}

/** OWASP's scrypt of 16 MiB: each try takes a fifth of a second of a processor. */
const usualCost = { N: 2 ** 14, r: 8, p: 5 }
const saltBytes = 16
const keyBytes = 32
/** Two of Node's four threads: the same threads read and write files. */
const maxAtOnce = 2
/** Whatever one address asks for, another finds a free place. */
const maxAtOnceOfAddress = 1
/** Of one address, and of all. */
const maxWaitingOfAddress = 64
const maxWaiting = 256

export function createPasswords(cost = usualCost): Passwords {
  const queue = createFairQueue(maxAtOnce, maxAtOnceOfAddress)
  const asked = createTally()

  const inTurn = async <T>(address: string | null | undefined, work: () => Promise<T>): Promise<T> => {
    const owner = addressKey(address ?? '')
    if (asked.of(owner) >= maxWaitingOfAddress + maxAtOnce || asked.all() >= maxWaiting + maxAtOnce) {
      throw new ServiceError('unavailable', 'Too many people are signing in at this moment', {
        headers: { 'retry-after': '5' },
      })
    }
    asked.add(owner, 1)
    try {
      return await queue.run(owner, work)
    } finally {
      asked.add(owner, -1)
    }
  }

  return {
    hash: (password, address) =>
      inTurn(address, async () => {
        const salt = randomBytes(saltBytes)
        const { N, r, p } = cost
        const key = await derive(password, salt, cost)
        return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
      }),
    verify: (password, hash, address) =>
      inTurn(address, async () => {
        const [name, N, r, p, salt = '', key = ''] = hash.split('$')
        if (name !== 'scrypt') return false
        const wanted = Buffer.from(key, 'base64url')
        const found = await derive(password, Buffer.from(salt, 'base64url'), {
          N: Number(N),
          r: Number(r),
          p: Number(p),
        })
        return isSame(found, wanted)
      }),
  }
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same word may be typed as other code points on another keyboard.
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

/** Throws a 400 for `field` if the password is too short, too long, or contains the person's e-mail address. */
export function checkPassword(field: string, password: string, email: string): void {
  const { length } = Array.from(password)
  if (length < minPasswordLength)
    throw invalidField(field, `must have at least ${minPasswordLength} characters`)
  if (length > maxPasswordLength)
    throw invalidField(field, `must have at most ${maxPasswordLength} characters`)
  const [local = ''] = email.split('@')
  const parts = [email, ...(local.length >= minNamedLength ? [local] : [])]
  if (parts.some(part => password.toLowerCase().includes(part.toLowerCase()))) {
    throw invalidField(field, 'must not contain the e-mail address')
  }
}

/** A shorter name before the @ occurs in too many words. */
const minNamedLength = 4
