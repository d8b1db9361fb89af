/** The addresses to which a browser may be sent with a code: an app registers them, and a request names one. */

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']
/** Editors whose scheme is a word; the own scheme of any other app is a reversed host name (RFC 8252, 7.1). */
const editorSchemes = ['cursor', 'vscode', 'vscode-insiders', 'windsurf']
/** Words that browsers and systems act on by themselves, and that end no host name. */
const actingWords = [
  ...['about', 'blob', 'chrome', 'data', 'file', 'filesystem', 'ftp', 'http', 'https', 'intent', 'jar'],
  ...['javascript', 'mailto', 'resource', 'vbscript'],
]

export const maxRedirectUris = 10
export const maxUriLength = 1_000

/** Null if an app may register the address. What differs in writing only is refused: the person sees one address. */
export function redirectFault(text: string): string | null {
  const url = text.length > maxUriLength ? null : URL.parse(text)
  if (url === null) return `must be an absolute URI of at most ${maxUriLength} characters`
  if (text.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password'
  if (url.href !== text && url.href !== `${text}/`) return `must be written as browsers write it: ${url.href}`
  // Browsers leave others as they are behind the scheme of an app, and who shows the address might not escape them.
  if (!/^[\w.~:/?[\]@!$&'()*+,;=%-]*$/.test(text)) return 'must percent-encode what RFC 3986 does not allow'
  const scheme = url.protocol.slice(0, -1)
  if (scheme === 'https' || isLoopback(url)) return null
  if (scheme === 'http') return 'must be https, or http on 127.0.0.1, [::1] or localhost'
  if (isReversedHost(scheme)) return null
  if (editorSchemes.includes(scheme)) {
    return isCallbackOfExtension(url) ? null : 'must be such as vscode://publisher.extension/callback'
  }
  return 'must be https, a loopback address, or a scheme of the app such as com.example.app'
}

/**
 * Any other address makes an editor act: it clones a repository, opens a folder or installs a server, mostly as a query
 * says. The name of a callback may be followed by a part that tells callbacks from each other.
 */
function isCallbackOfExtension({ host, pathname, search }: URL): boolean {
  const ends = pathname.split('/').slice(-2)
  return (
    /^[a-z\d][a-z\d-]*\.[a-z\d][a-z\d-]*$/i.test(host) &&
    search === '' &&
    ends.some(part => /^([a-z]+-)*(auth|authenticate|authorize|callback|oauth2?|redirect)$/i.test(part))
  )
}

/** Begins with a top-level domain, such as `com.example.app`. */
function isReversedHost(scheme: string): boolean {
  const labels = scheme.split('.')
  const [top = ''] = labels
  return (
    labels.length > 1 &&
    /^[a-z]{2,}$/.test(top) &&
    !actingWords.includes(top) &&
    labels.every(label => /^[a-z\d-]+$/.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  )
}

/** The text must be the same. On loopback any port matches, since an app listens on a free port (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  // An app may have registered when more was allowed.
  const url = redirectFault(given) === null ? URL.parse(given) : null
  if (url === null) return false
  if (registered.includes(given)) return true
  if (!isLoopback(url)) return false
  return registered.some(text => {
    const other = URL.parse(text)
    return other !== null && isLoopback(other) && withoutPort(other) === withoutPort(url)
  })
}

/** The text for the person: the host, or the scheme of an app on their computer. */
export function hostOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : `${url.protocol}//`
}

export function isOnThisComputer(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol !== 'https:' || loopbackHosts.includes(hostname) || isOtherLoopback(hostname)
}

/** Further names of this computer, which no app may register with http. */
const isOtherLoopback = (hostname: string): boolean =>
  /^127(\.\d+){3}$|^\[::ffff:7f|(^|\.)localhost\.?$|^0\.0\.0\.0$|^\[::\]$/.test(hostname)

/** Adds these parameters to those of the address. */
export function addressWith(redirectUri: string, params: Record<string, string | null>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(params)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.includes(hostname)

const withoutPort = ({ hostname, pathname, search }: URL): string => hostname + pathname + search
