/** Sends what is meant for a real service to a peer on loopback, so that connectors can be tested with their real addresses. */
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'

/**
 * From where to where: an origin or the beginning of an address (`https://slack.com/api/oauth.`) to the peer's origin; the
 * path and the query stay. Of those that fit, the longest counts.
 */
export type Routes = Readonly<Record<string, string>>

/** The address at the peer; the very same where no route fits. */
export function rerouted(address: string | URL, routes: Routes): string {
  const url = new URL(String(address))
  const [match] = Object.keys(routes)
    .filter(start => url.href.startsWith(start.includes('/', 8) ? start : `${start}/`))
    .sort((a, b) => b.length - a.length)
  const peer = match === undefined ? undefined : routes[match]
  return peer === undefined ? url.href : `${new URL(peer).origin}${url.pathname}${url.search}`
}

export const reroute =
  (safeFetch: SafeFetch, routes: Routes): SafeFetch =>
  (url, request) => {
    const address = URL.parse(String(url))
    return safeFetch(address === null ? url : rerouted(address, routes), request)
  }
