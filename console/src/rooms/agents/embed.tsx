/** What a developer pastes to put an agent into a page: on their server, in the page, or as a frame or a link. */
import type { Agent } from '@atrium/sdk'
import { useState } from 'react'
import { useScope } from '../../api/scope.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { AgentFrame } from './agent-frame.tsx'

export function Room() {
  return <AgentFrame>{agent => <Snippets key={agent.id} agent={agent} />}</AgentFrame>
}

function Snippets({ agent }: { agent: Agent }) {
  const { environment } = useScope()
  const [page, setPage] = useState('https://www.example.com')
  const [heading, setHeading] = useState(agent.name)
  const [floats, setFloats] = useState(true)
  const server = window.location.origin
  const origin = originOf(page)
  const shownOrigin = origin ?? 'https://www.example.com'
  const attributes = [
    ...(floats ? ['launcher'] : []),
    `agent="${agent.id}"`,
    'token-url="/chat-token"',
    `heading="${escapeAttribute(heading)}"`,
  ]
  return (
    <div className="flex min-w-0 flex-col gap-10">
      <Section title="Your page">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Origin of the page"
            hint="Only pages of this origin can use the tokens."
            value={page}
            onChange={setPage}
            error={origin === null ? 'An origin such as https://www.example.com, without a path.' : undefined}
          />
          <TextField label="Heading" maxLength={100} value={heading} onChange={setHeading} />
        </div>
        <Checkbox
          label="A round button opens the chat"
          hint="Otherwise the chat stands where its element stands."
          checked={floats}
          onChange={setFloats}
        />
      </Section>
      <Section title="1. On your server">
        <p>
          Your server knows who the visitor is. It asks for a browser token with a key that has{' '}
          <code>agents:run</code> and <code>agents:read</code>, and gives the token to the page. The key
          itself never leaves your server.
        </p>
        <CodeBlock
          label="server code"
          code={`// POST /chat-token, for a visitor whom you have signed in
const reply = await fetch('${server}/api/v1/browser-tokens', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.ATRIUM_API_KEY}\`, // sk_${environment}_…
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    agentId: '${agent.id}',
    endUserId: visitor.id,
    origins: ['${shownOrigin}'],
  }),
})
const { data } = await reply.json()
response.json({ token: data.token, expiresAt: data.expiresAt })`}
        />
      </Section>
      <Section title="2. In the page">
        <CodeBlock
          label="page code"
          code={`<script type="module" src="${server}/widget/atrium-chat.js"></script>
<atrium-chat
  ${attributes.join('\n  ')}
></atrium-chat>`}
        />
        <p className="text-muted">
          A strict Content-Security-Policy needs <code>{server}</code> in <code>script-src</code> and{' '}
          <code>connect-src</code>, and your own in <code>connect-src</code> for the tokens.
        </p>
      </Section>
      <Section title="Or as a frame, or a link">
        <Notice>
          Here the chat runs on Atrium’s own origin: name <code>{server}</code> among the token’s{' '}
          <code>origins</code> too.
        </Notice>
        <CodeBlock
          label="frame code"
          code={`<iframe id="chat" title="${escapeAttribute(heading)}" width="400" height="620"
  src="${server}/embed/${agent.id}?parent=${encodeURIComponent(shownOrigin)}"></iframe>
<script>
  addEventListener('message', async ({ origin, source, data }) => {
    if (origin !== '${server}' || data.type !== 'atrium-token-wanted') return
    const token = await (await fetch('/chat-token', { method: 'POST' })).json()
    source.postMessage({ type: 'atrium-token', ...token }, origin)
  })
</script>`}
        />
        <CodeBlock label="link" code={`${server}/embed/${agent.id}#token=bt_…`} />
      </Section>
    </div>
  )
}

/** As the API wants it; null for what is no origin. */
function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { origin, protocol } = new URL(text)
  return /^https?:$/.test(protocol) && text === origin ? origin : null
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
