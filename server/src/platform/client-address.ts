/** Addresses of clients: which network counts as one, and whether one lies in given networks. */
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The same key for both spellings of an IPv4 address, and for all addresses of an IPv6 network of `bits` bits. One
 * subscriber has every address of a /64; many have a whole /48.
 */
export function addressKey(address: string, bits: 48 | 64 = 64): string {
  // Node names most clients like this. Parsing and printing the address would change nothing.
  if (isIPv4(address)) return `address.${address}`
  if (!ipaddr.isValid(address)) return `address.${address}`
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `address.${parsed.toString()}`
  return `address.${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}`
}

/** Whether an address lies in one of the addresses or CIDRs; an IPv4 address counts in either spelling. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some(entry => {
    if (!entry.includes('/')) return ipaddr.process(entry).toString() === parsed.toString()
    const [network, bits] = ipaddr.parseCIDR(entry)
    return network.kind() === parsed.kind() && parsed.match([network, bits])
  })
}
