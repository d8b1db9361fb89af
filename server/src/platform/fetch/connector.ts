/** Opens connections to checked addresses only: the literal, every answer of the DNS, and the peer that was reached. */
import { lookup as dnsLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { ServiceError } from '../errors.ts'
import { type AddressRule, addressFault } from './addresses.ts'

/** Every address of a host name. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>

export const systemLookup: Lookup = hostname => dnsLookup(hostname, { all: true })

export const addressForbidden = (hostname: string): ServiceError =>
  new ServiceError('address_forbidden', `${hostname} ${addressFault}`)

/** A connector for undici; it fails with `address_forbidden` before a byte is sent to an address that is not allowed. */
export function createGuardedConnector(
  isAllowed: AddressRule,
  lookup: Lookup,
  connectTimeoutMs: number,
): buildConnector.connector {
  // Loaded where it is used: a server at rest does without it.
  const load = async (): Promise<buildConnector.connector> => {
    const undici = await import('undici')
    return undici.buildConnector({
      timeout: connectTimeoutMs,
      // The socket connects to the very answers that were checked, so a second, different answer never counts.
      lookup: createCheckedLookup(isAllowed, lookup),
      autoSelectFamily: true,
    })
  }
  let loading: Promise<buildConnector.connector> | null = null
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, '')
    // Literals never reach a lookup.
    if (isLiteral(hostname) && !isAllowed(hostname)) return callback(addressForbidden(hostname), null)
    loading ??= load()
    loading.then(
      connect =>
        connect({ ...options, hostname }, (...[error, socket]) => {
          if (error !== null) return callback(error, null)
          if (!isAllowed(socket.remoteAddress ?? '')) {
            socket.destroy()
            return callback(addressForbidden(hostname), null)
          }
          callback(null, socket)
        }),
      (error: Error) => callback(error, null),
    )
  }
}

const isLiteral = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.includes(':')

const createCheckedLookup =
  (isAllowed: AddressRule, lookup: Lookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname).then(
      answers => {
        const [first] = answers
        if (first === undefined) return callback(new Error(`${hostname} has no address`), [])
        // One forbidden answer condemns them all: an honest public name has none.
        if (!answers.every(answer => isAllowed(answer.address)))
          return callback(addressForbidden(hostname), [])
        if (options.all === true) callback(null, answers)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
