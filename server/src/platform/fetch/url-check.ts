/** Whether the server may call a given address: checked when it is stored, and again when it is connected. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addressFault, createAddressRule } from './addresses.ts'
import { type Lookup, systemLookup } from './connector.ts'

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

const isLiteral = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.includes(':')
