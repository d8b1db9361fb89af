/** Whether a browser's request comes from our own pages: what a session's cookie may do, no other site may ask for. */
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../platform/errors.ts'

/** Throws `origin_forbidden` where a request that changes something does not come from this server's own pages. */
export type OriginCheck = (headers: IncomingHttpHeaders) => void

export const createOriginCheck =
  (publicUrl: () => string): OriginCheck =>
  headers => {
    const { origin } = headers
    const own = ownOrigins(publicUrl())
    // Every browser in use sends one of the two with a POST; a program can. A page that names its address to nobody
    // sends `null`.
    const isOurs =
      origin === undefined || origin === 'null'
        ? headers['sec-fetch-site'] === 'same-origin'
        : own.includes(origin)
    if (isOurs) return
    throw new ServiceError(
      'origin_forbidden',
      `The request must carry the header "Origin: ${own[0]}". Open the console under that address, or set ATRIUM_PUBLIC_URL to the one that people use.`,
    )
  }

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** The public address's origin; on loopback its other names too, since people type either. */
export function ownOrigins(publicUrl: string): string[] {
  const url = new URL(publicUrl)
  const others = loopback.includes(url.hostname) ? loopback.filter(name => name !== url.hostname) : []
  return [
    url.origin,
    ...others.map(name => `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}`),
  ]
}
