/** Connects to allowed addresses only: checks literals, every answer of the DNS, and the peer that was reached. */
import { lookup as dnsLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { ServiceError } from '../errors.ts'

/** Every address of a host name. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>

export const systemLookup: Lookup = hostname => dnsLookup(hostname, { all: true })

export const addressForbidden = (hostname: string): ServiceError =>
  new ServiceError('address_forbidden', `${hostname} ${addressFault}`, { details: { address: hostname } })

/** A connector for undici. It fails with `address_forbidden` before it sends a byte to a forbidden address. */
export function createGuardedConnector(
  isAllowed: AddressRule,
  lookup: Lookup,
  connectTimeoutMs: number,
): buildConnector.connector {
  // Loaded where it is used: an idle server does not need it.
  const load = async (): Promise<buildConnector.connector> => {
    const undici = await import('undici')
    return undici.buildConnector({
      timeout: connectTimeoutMs,
      // The socket connects to exactly the answers that were checked. A second, different answer never counts.
      lookup: createCheckedLookup(isAllowed, lookup),
      autoSelectFamily: true,
    })
  }
  let loading: Promise<buildConnector.connector> | null = null
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, '')
    // Literal addresses never reach a lookup.
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
        // One forbidden answer is enough to refuse all: an honest public name has none.
        if (!answers.every(answer => isAllowed(answer.address)))
          return callback(addressForbidden(hostname), [])
        if (options.all === true) callback(null, answers)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The words for an address that the rule refuses. Only the operator can change the setting. */
export const addressFault =
  'is not an address that this server may reach; the operator can allow private networks in ATRIUM_ALLOWED_PRIVATE_NETWORKS'

/** True if a literal IP address may be connected to; false for a text that is not an address. */
export type AddressRule = (address: string) => boolean

/** `allowedNetworks` are CIDRs or single addresses; throws if one of them is neither. */
export function createAddressRule(allowedNetworks: readonly string[]): AddressRule {
  const allowed = allowedNetworks.map(parseNetwork)
  return text => {
    if (!ipaddr.isValid(text)) return false
    const address = embeddedAddress(ipaddr.parse(text))
    return allowed.some(network => isInside(address, network)) || isPublic(address)
  }
}

// Answers inside an Azure machine only, although it lies in public space: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
const azurePlatformAddress = '168.63.129.16'
const globalUnicast: Network = [ipaddr.parse('2000::'), 3]
const wellKnownNat64: Network = [ipaddr.parse('64:ff9b::'), 96]

function parseNetwork(text: string): Network {
  const [address, length] = text.includes('/') ? ipaddr.parseCIDR(text) : singleAddress(ipaddr.parse(text))
  return [address, length]
}

const singleAddress = (address: ipaddr.IPv4 | ipaddr.IPv6): Network => [
  address,
  address.kind() === 'ipv4' ? 32 : 128,
]

/** The IPv4 address that an IPv4-mapped or a NAT64 address really leads to. */
function embeddedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (isInside(address, wellKnownNat64)) return new ipaddr.IPv4(address.toByteArray().slice(-4))
  return address
}

const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, length]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, length)

/**
 * Only addresses that are known to be public pass. In IPv6 these are global unicast without the tunnels (6to4,
 * Teredo) and without the deprecated `::a.b.c.d`. A tunnel would carry a request to any IPv4 address.
 */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' &&
  (address.kind() === 'ipv4' ? address.toString() !== azurePlatformAddress : isInside(address, globalUnicast))

/** The address in the form in which it is kept, or what is wrong with it. */
export type UrlCheck = (text: string) => Promise<{ url: string } | { fault: string }>

/** A name server that does not answer must not hold up the request that gives an address. */
const lookupMs = 3_000

export function createUrlCheck({
  allowedPrivateNetworks,
  lookup = systemLookup,
}: {
  /** CIDRs that may be reached besides the public internet. */
  allowedPrivateNetworks: readonly string[]
  lookup?: Lookup
}): UrlCheck {
  const isAllowed = createAddressRule(allowedPrivateNetworks)

  /** A name that is not known yet passes: it is looked up again before each call. */
  const addressesOf = async (hostname: string): Promise<string[]> => {
    if (isLiteral(hostname)) return [hostname]
    const found = lookup(hostname).then(
      answers => answers.map(({ address }) => address),
      () => [],
    )
    const tooLate = new AbortController()
    const nothing = sleep(lookupMs, [], { signal: tooLate.signal }).catch(() => [])
    return Promise.race([found, nothing]).finally(() => tooLate.abort())
  }

  return async text => {
    const url = URL.parse(text)
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      return { fault: 'must be an address that begins with https:// or http://' }
    }
    if (url.username !== '' || url.password !== '') {
      return { fault: 'must not hold a user name or a password: the signature tells who sends' }
    }
    if (url.hash !== '') return { fault: 'must not have a fragment: it is never sent' }
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = await addressesOf(hostname)
    if (!addresses.every(isAllowed)) {
      return { fault: `names ${hostname}, which ${addressFault}` }
    }
    return { url: url.href }
  }
}
