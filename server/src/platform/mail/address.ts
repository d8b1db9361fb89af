/** E-mail addresses: which texts are addresses, and the one spelling in which an address is stored and compared. */
import { domainToASCII } from 'node:url'

const maxAddressLength = 254
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Tested first: `domainToASCII` reads a host as a URL does, drops a path behind the host, and decodes `%2e`. */
const hostCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** The address in lower case, with its domain in ASCII form; null for a text that is not one plain address. */
export function parseAddress(text: string): string | null {
  const [local = '', host = '', ...more] = text.trim().toLowerCase().split('@')
  const asciiHost = hostCharacters.test(host) ? domainToASCII(host) : ''
  const address = `${local}@${asciiHost}`
  const isPlain = more.length === 0 && local.length <= 64 && localPart.test(local)
  const isReachable = asciiHost === 'localhost' || domain.test(asciiHost)
  return isPlain && isReachable && address.length <= maxAddressLength ? address : null
}
