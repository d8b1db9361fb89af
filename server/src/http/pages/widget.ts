/** The chat for other people's pages: its script, and a page around the chat for a frame or a link. */
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../platform/text/html.ts'
import { builtFiles, createReader } from './console-files.ts'

/** Calls go to this server only; pages of `origins` alone may frame the page. */
const policyOf = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ')

/** The words that the page begins with, and the origins of the pages that may frame it. */
type Frame = { origins: readonly string[]; heading: string | null; welcome: string | null }

/** The same page for an agent that does not exist. */
const noFrame: Frame = { origins: [], heading: null, welcome: null }

/** Registers the widget that was built into `folder`; without it, the widget's addresses give 404. */
export function registerWidget(
  server: FastifyInstance,
  folder: string,
  frameOf: (agentId: string) => Promise<Frame | null>,
): void {
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
    const frame = (await frameOf(agentId)) ?? noFrame
    // The policy says who may frame the page; the older header cannot name origins.
    if (frame.origins.length > 0) reply.removeHeader('x-frame-options')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(frame.origins),
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(page(agentId, query, frame))
  })
}

/** Words are those of the agent's record: who makes the address must not put their own on this server's page. */
function page(agentId: string, query: URLSearchParams, { origins, heading, welcome }: Frame): string {
  const [parent, theme] = [query.get('parent') ?? '', query.get('theme') ?? '']
  const given = {
    heading,
    welcome,
    theme: ['light', 'dark'].includes(theme) ? theme : null,
    // A chat in a frame names the framing page when it asks for a token.
    'parent-origin': origins.includes(parent) ? parent : null,
  }
  const set = Object.entries(given)
    .map(([name, value]) => (value === null ? '' : ` ${name}="${escapeHtml(value)}"`))
    .join('')
  const title = escapeHtml(heading ?? 'Chat')
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
