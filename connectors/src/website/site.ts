/** Says which addresses belong to a website, and gives each address one form. */

import { createPauses } from '../pauses.ts'
import { withoutTrailing } from '../trim.ts'
import type { WebsiteConfig } from './settings.ts'

export type Site = ReturnType<typeof createSite>

const maxAddressCharacters = 1_000
const maxPathSegments = 25
/** A path in which one name repeats so often comes from a relative link that leads deeper into itself. */
const maxRepetitions = 3

/** `origin` is the origin of the first page after its redirects. */
export function createSite(config: WebsiteConfig, origin: string) {
  const home = new URL(origin)
  const prefix = config.pathPrefix ?? prefixOf(new URL(config.url).pathname)
  return {
    /** Every page is known under this origin, even if it is linked with or without `www.`, by http or https. */
    origin,
    /** The one form of an address. Null if the address is not on this host, is too long, or is part of a loop. */
    known(address: string, base?: string): string | null {
      const url = URL.parse(address, base)
      if (url === null || !isSameHost(url, home) || url.username !== '' || url.password !== '') return null
      const path = url.pathname.replace(/;jsessionid=[^/]*/gi, '').replace(/\/{2,}/g, '/')
      const known = `${origin}${path}${keptQuery(url)}`
      return known.length > maxAddressCharacters || isLoop(path) ? null : known
    },
    /** Whether the config wants this known address. */
    wants(known: string): boolean {
      const { pathname, search } = new URL(known)
      if (!isBelow(pathname, prefix) || hasNoPage.test(pathname)) return false
      if (!config.documents && documentEnding.test(pathname)) return false
      return !config.exclude.some(pattern => matchesBeginning(pathname + search, pattern))
    },
  }
}

/**
 * The wanted addresses, in their known form. Works in turns of the event loop, since a page may hold very many
 * addresses.
 */
export async function wantedAmong(site: Site, addresses: readonly string[], base?: string) {
  const wanted: string[] = []
  const pause = createPauses()
  for (const address of addresses) {
    await pause()
    const known = site.known(address, base)
    if (known !== null && site.wants(known)) wanted.push(known)
  }
  return wanted
}

/** Whether the hosts are the same apart from a leading `www.`, at the same port or both at the default port. */
export const isSameHost = (a: URL, b: URL): boolean =>
  isWeb(a) && isWeb(b) && a.port === b.port && bareHost(a) === bareHost(b)

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'
const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

/** The folder of a page: `/guide/` for `/guide/intro.html`. A path that names no file stays as it is. */
function prefixOf(path: string): string {
  const nameStart = path.lastIndexOf('/') + 1
  return path.includes('.', nameStart) ? path.slice(0, nameStart) : path
}

/** `/guide` holds `/guide` and `/guide/intro`, and not `/guidelines`. */
function isBelow(path: string, prefix: string): boolean {
  const folder = withoutTrailing(prefix, '/')
  return path === folder || path.startsWith(`${folder}/`)
}

/** Parameters that tell where visitors came from or who they are, and that do not change the page. */
const ignoredParameters =
  /^(utm_.*|mtm_.*|pk_.*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src|phpsessid|sessionid|sid)$/i

function keptQuery({ searchParams }: URL): string {
  const kept = [...searchParams].filter(([name]) => !ignoredParameters.test(name))
  if (kept.length === 0) return ''
  const sorted = new URLSearchParams(kept)
  sorted.sort()
  return `?${sorted}`
}

function isLoop(path: string): boolean {
  const segments = path.split('/').filter(segment => segment !== '')
  if (segments.length > maxPathSegments) return true
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return [...counts.values()].some(count => count > maxRepetitions)
}

const hasNoPage =
  /\.(png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico|css|m?js|map|json|xml|rss|atom|zip|gz|tgz|bz2|xz|7z|rar|tar|dmg|exe|msi|deb|rpm|apk|iso|bin|jar|war|mp[34]|m4[av]|webm|mov|avi|mkv|wav|ogg|flac|woff2?|ttf|otf|eot|ics|vcf|sig|asc)$/i
const documentEnding =
  /\.(pdf|docx?|do[ct]m|dotx|xlsx?|xlsm|xltx|pptx?|pptm|potx|ppsx|od[tsp]|rtf|epub|txt|md|csv)$/i

/** Compares piece by piece, so that no pattern takes long. */
function matchesBeginning(path: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const piece of others) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  // The last piece has to end where a name of the path ends.
  return at === path.length || pattern.endsWith('/') || pattern.endsWith('*') || '/?'.includes(path[at] ?? '')
}
