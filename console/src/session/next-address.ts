/** Where to go after signing in: only to this server, whatever the address says. */

/** Pages that the server makes itself, so that they have to be loaded. */
const servedPages = /^\/(invitations|oauth|docs)(\/|$)/

/** `next` where it is an address of this server, else the overview. */
export function safeNext(next: string | null | undefined, origin: string): string {
  if (next == null || !next.startsWith('/')) return '/'
  // `//host` and `/\host` are other servers to a browser.
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  return url === null || url.origin !== origin ? '/' : url.pathname + url.search + url.hash
}

export const isServedPage = (address: string): boolean => servedPages.test(address)
