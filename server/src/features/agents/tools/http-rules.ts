/** What the tool `http_request` may reach and say. */
import { ToolError } from '../../../platform/tool.ts'

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Whether one of `api.example.com`, `api.example.com:8443` and `*.example.com` covers the address; without a port it means the scheme's own. */
export function isHostAllowed(url: URL, httpHosts: readonly string[]): boolean {
  const defaultPort = defaultPorts[url.protocol]
  if (defaultPort === undefined) return false
  // A name may end with a dot, which means the same host.
  const hostname = url.hostname.replace(/\.$/, '')
  const port = url.port === '' ? defaultPort : url.port
  return httpHosts.some(allowed => {
    const [name = '', allowedPort = defaultPort] = allowed.split(':')
    if (port !== allowedPort) return false
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
  })
}

/** They say how the message travels, not what it says; a model that set them could speak to another host. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])

export function checkHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (ownHeaders.has(lower) || lower.startsWith('x-forwarded-')) {
      throw new ToolError(`The header ${name} cannot be set`)
    }
    headers.set(lower, value)
  }
  return headers
}
