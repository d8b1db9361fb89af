/** When a key ends and from where it works, and that a key gives no other one a longer life or more addresses than its own. */
import ipaddr from 'ipaddr.js'
import { type Caller, type KeyBounds, noBounds } from '../../platform/caller.ts'
import { toTimestamp } from '../../platform/clock.ts'
import type { FieldError } from '../../platform/errors.ts'
import type { NewApiKey } from './schemas.ts'

type Bounded = Pick<NewApiKey, 'expiresAt' | 'allowedAddresses'>

/** What a new key says of its end and addresses, and where it says nothing, the calling key's. */
export function inheritedBounds(caller: Caller, wanted: Bounded): Bounded {
  const { expiresAt: end, allowedAddresses: addresses } = boundsOf(caller)
  return {
    expiresAt: wanted.expiresAt === undefined && end !== null ? toTimestamp(end) : (wanted.expiresAt ?? null),
    allowedAddresses:
      wanted.allowedAddresses === undefined && addresses !== null
        ? [...addresses]
        : (wanted.allowedAddresses ?? null),
  }
}

/** `wanted` is undefined where a change leaves the end as it is. */
export function endErrors(caller: Caller, wanted: string | null | undefined, now: number): FieldError[] {
  const field = 'expiresAt'
  if (wanted === undefined) return []
  const end = wanted === null ? null : Date.parse(wanted)
  if (end !== null && end <= now) return [{ field, message: 'must lie in the future' }]
  if (isWithinEnd(caller, end)) return []
  const latest = toTimestamp(boundsOf(caller).expiresAt ?? now)
  return [
    {
      field,
      message: `must be ${latest} at the latest, when the calling key ends; for more use a key that lives longer, or the console`,
    },
  ]
}

/** `wanted` is undefined where a change leaves the addresses as they are. */
export function addressErrors(caller: Caller, wanted: readonly string[] | null | undefined): FieldError[] {
  if (wanted === undefined) return []
  const field = 'allowedAddresses'
  const own = (boundsOf(caller).allowedAddresses ?? []).join(', ')
  const remedy = 'for more use a key with more addresses, or the console'
  if (wanted === null) {
    if (isWithinAddresses(caller, null)) return []
    return [{ field, message: `must lie within the addresses of the calling key, ${own}; ${remedy}` }]
  }
  return wanted.flatMap((address, index) => {
    const place = { field: `${field}.${index}` }
    if (!ipaddr.isValid(address) && !ipaddr.isValidCIDR(address)) {
      return [{ ...place, message: 'must be an IP address or a CIDR such as 203.0.113.0/24' }]
    }
    if (isWithinAddresses(caller, [address])) return []
    return [{ ...place, message: `is outside the addresses of the calling key, ${own}; ${remedy}` }]
  })
}

/** Null is no end. */
export function isWithinEnd(caller: Caller, end: number | null): boolean {
  const latest = boundsOf(caller).expiresAt
  return latest === null || (end !== null && end <= latest)
}

/** Null is any address. */
export function isWithinAddresses(caller: Caller, addresses: readonly string[] | null): boolean {
  const allowed = boundsOf(caller).allowedAddresses
  if (allowed === null) return true
  return addresses?.every(address => allowed.some(entry => covers(entry, address))) === true
}

/** Only a key has bounds. */
const boundsOf = (caller: Caller): KeyBounds => (caller.kind === 'key' ? caller.keyBounds : noBounds)

/** Whether every address of `inner` lies in `outer`; either is an address or a CIDR. */
function covers(outer: string, inner: string): boolean {
  const [network, bits] = networkOf(outer)
  const [wanted, wantedBits] = networkOf(inner)
  return network.kind() === wanted.kind() && wantedBits >= bits && wanted.match([network, bits])
}

/** An address is a network of one. An IPv4 address counts in either spelling. */
function networkOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
