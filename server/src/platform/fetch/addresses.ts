/** Which network addresses outgoing requests may reach: the public internet, and what the operator allows besides. */
import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** What is said of an address that the rule refuses; the setting is the operator's. */
export const addressFault =
  'is not an address that this server may reach; the operator can allow private networks in ATRIUM_ALLOWED_PRIVATE_NETWORKS'

/** True if a literal IP address may be connected to; a text that is no address is never allowed. */
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

/** The IPv4 address that is really reached through an IPv4-mapped or a NAT64 address. */
function embeddedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (isInside(address, wellKnownNat64)) return new ipaddr.IPv4(address.toByteArray().slice(-4))
  return address
}

const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, length]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, length)

/**
 * Only what is known to be public passes. In IPv6 that is global unicast without the tunnels (6to4, Teredo), which would
 * carry a request to any IPv4 address, and without the deprecated `::a.b.c.d`.
 */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' &&
  (address.kind() === 'ipv4' ? address.toString() !== azurePlatformAddress : isInside(address, globalUnicast))
