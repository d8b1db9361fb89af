/** The chat for other people's pages: its script, and a page around the chat for a frame or a link. */
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../platform/text/html.ts'
import { builtFiles, createReader } from './console-files.ts'

/** Calls go to this server only; `parent` is the one origin that may frame the page. */
const policyOf = (parent: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${parent ?? "'none'"}`,
    "require-trusted-types-for 'script'",
  ].join('; ')

/** Registers the widget that was built into `folder`; without it, the widget's addresses give 404. */
export function registerWidget(server: FastifyInstance, folder: string): void {
  const files = builtFiles(folder)
  const read = createReader(folder)
  for (const path of files.keys()) {
    server.get(`/widget${path}`, async (request, reply) => {
      const { content, encoding } = await read(path, files, request)
      if (encoding !== null) reply.header('content-encoding', encoding)
      return reply
        .headers({
          'content-type': 'text/javascript; charset=utf-8',
          vary: 'Accept-Encoding',
          'cache-control': 'public, max-age=300',
          // Pages of any origin load the script as a module, which browsers fetch with CORS.
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(content)
    })
  }
  if (files.size === 0) return
  server.get('/embed/:agentId', async (request, reply) => {
    const { agentId } = request.params as { agentId: string }
    const query = new URLSearchParams(request.url.split('?')[1])
    const parent = originOf(query.get('parent'))
    // The policy says who may frame the page; the older header cannot name origins.
    if (parent !== null) reply.removeHeader('x-frame-options')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(parent),
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(page(agentId, query, parent))
  })
}

/** An origin as browsers write it; null for anything else. */
function originOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const { origin, protocol, hostname } = new URL(text)
  // A host may contain `*` and `;`, which have another meaning in a policy.
  const isName = /^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(hostname)
  return /^https?:$/.test(protocol) && isName && origin === text ? origin : null
}

/** The attributes of the widget that the address may set. */
const attributes = ['heading', 'welcome', 'theme'] as const
const longestAttribute = 300

function page(agentId: string, query: URLSearchParams, parent: string | null): string {
  const given = attributes.map(name => [name, query.get(name)?.slice(0, longestAttribute) ?? ''] as const)
  // The same origin as in the policy: a chat in a frame names the framing page when it asks for a token.
  const set = [...given, ['parent-origin', parent ?? ''] as const]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
  const title = escapeHtml(query.get('heading')?.slice(0, longestAttribute) ?? 'Chat')
  const language = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.exec(query.get('lang') ?? '')?.[0] ?? 'en'
  const direction = query.get('dir') === 'rtl' ? ' dir="rtl"' : ''
  return `<!doctype html>
<html lang="${language}"${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>${title}</title>
<script type="module" src="/widget/atrium-chat.js"></script>
<script type="module" src="/widget/frame.js"></script>
</head>
<body><main><atrium-chat page agent="${escapeHtml(agentId)}"${set}></atrium-chat></main></body>
</html>
`
}
