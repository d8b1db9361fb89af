/** What a developer pastes to put an agent into a page: with tokens of their server, or for anybody; as a frame or a link. */
import type { Agent } from '@atrium/sdk'
import { useState } from 'react'
import { useScope } from '../../api/scope.tsx'
import { useSearchChoice } from '../../api/search-values.ts'
import { Checkbox, Choices } from '../../ui/choices.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { AgentFrame } from './agent-frame.tsx'
import { FrameForm } from './frame-form.tsx'
import { PublicChatForm, usePublicChat } from './public-chat-form.tsx'

export function Room() {
  return <AgentFrame>{agent => <Embed key={agent.id} agent={agent} />}</AgentFrame>
}

const visitors = ['known', 'anybody'] as const
const usualOrigin = 'https://www.example.com'

/** What the developer chose: `origin` as browsers send it. */
type Chosen = { agent: Agent; server: string; origin: string; heading: string; attributes: string[] }

function Embed({ agent }: { agent: Agent }) {
  const [whom, setWhom] = useSearchChoice('for', visitors, 'known')
  const server = window.location.origin
  const { data: chat } = usePublicChat(agent.id, whom === 'anybody')
  const [typed, setPage] = useState<string | null>(null)
  const page = typed ?? chat?.origins.find(one => one !== server) ?? usualOrigin
  const [heading, setHeading] = useState(agent.name)
  const [floats, setFloats] = useState(true)
  const origin = originOf(page)
  const chosen: Chosen = {
    agent,
    server,
    origin: origin ?? usualOrigin,
    heading: escapeAttribute(heading),
    attributes: [...(floats ? ['launcher'] : []), `agent="${agent.id}"`],
  }
  return (
    <div className="flex min-w-0 flex-col gap-10">
      <Choices
        legend="Who chats"
        value={whom}
        onChange={setWhom}
        choices={[
          {
            value: 'known',
            label: 'People whom your server knows',
            hint: 'It gives each of them a token, within limits of their own.',
          },
          {
            value: 'anybody',
            label: 'Anybody on your page',
            hint: 'No server is needed. What all visitors use in a day is limited.',
          },
        ]}
      />
      <Section title="Your page">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Origin of the page"
            hint="Only pages of this origin can use the chat."
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
      {whom === 'known' ? <ForKnown {...chosen} /> : <ForAnybody {...chosen} />}
    </div>
  )
}

function ForKnown(chosen: Chosen) {
  const { environment } = useScope()
  const { agent, server, origin, heading } = chosen
  return (
    <>
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
    origins: ['${origin}'],
  }),
})
const { data } = await reply.json()
response.json({ token: data.token, expiresAt: data.expiresAt })`}
        />
      </Section>
      <PageCode {...chosen} tokenUrl="/chat-token" />
      <Section title="Or as a frame, or a link">
        <Notice>
          Here the chat runs on Atrium’s own origin: name <code>{server}</code> among the token’s{' '}
          <code>origins</code> too.
        </Notice>
        <FrameForm agent={agent} />
        <CodeBlock
          label="frame code"
          code={`<iframe id="chat" title="${heading}" width="400" height="620"
  src="${server}/embed/${agent.id}?parent=${encodeURIComponent(origin)}"></iframe>
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
    </>
  )
}

function ForAnybody(chosen: Chosen) {
  const { agent, server, origin, heading } = chosen
  return (
    <>
      <Section title="1. Open the agent to visitors">
        <PublicChatForm agent={agent} origin={origin} server={server} />
      </Section>
      <PageCode {...chosen} />
      <Section title="Or as a frame, or a link">
        <p className="text-muted">These need “Also as a frame or a link” above.</p>
        <FrameForm agent={agent} />
        <CodeBlock
          label="frame code"
          code={`<iframe title="${heading}" width="400" height="620"
  src="${server}/embed/${agent.id}?public&amp;parent=${encodeURIComponent(origin)}"></iframe>`}
        />
        <CodeBlock label="link" code={`${server}/embed/${agent.id}`} />
      </Section>
    </>
  )
}

function PageCode({ server, heading, attributes, tokenUrl }: Chosen & { tokenUrl?: string }) {
  const written = [
    ...attributes,
    ...(tokenUrl === undefined ? [] : [`token-url="${tokenUrl}"`]),
    `heading="${heading}"`,
  ]
  return (
    <Section title="2. In the page">
      <CodeBlock
        label="page code"
        code={`<script type="module" src="${server}/widget/atrium-chat.js"></script>
<atrium-chat
  ${written.join('\n  ')}
></atrium-chat>`}
      />
      <p className="text-muted">
        A strict Content-Security-Policy needs <code>{server}</code> in <code>script-src</code> and{' '}
        <code>connect-src</code>
        {tokenUrl !== undefined && (
          <>
            , and your own in <code>connect-src</code> for the tokens
          </>
        )}
        .
      </p>
    </Section>
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
