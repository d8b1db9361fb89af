/** Talking to an agent: its answers as they are written, with each step, its sources and its cost. */
import { type Agent, ApiError, type Run } from '@atrium/sdk'
import { FlaskConical, History, MessageSquarePlus, MessagesSquare } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useKeeping, useKeptDraft } from '../../../api/kept-draft.ts'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiQuery } from '../../../api/queries.ts'
import { useScope } from '../../../api/scope.tsx'
import { useSearchValue } from '../../../api/search-values.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuChoices } from '../../../ui/menu.tsx'
import { EmptyState, Notice } from '../../../ui/notices.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { Loading } from '../../../ui/waiting.tsx'
import { AgentFrame } from '../agent-frame.tsx'
import { useMayChange } from '../use-ownership.ts'
import { Composer } from './composer.tsx'
import { OpenWithReason, ShareButton } from './sharing.tsx'
import { TurnView } from './turn-view.tsx'
import { useConversation } from './use-conversation.ts'

export function Room() {
  return <AgentFrame>{agent => <Playground key={agent.id} agent={agent} />}</AgentFrame>
}

/** The latest of a conversation; the earlier ones are in the list of runs. */
const mostTurns = 50

function Playground({ agent }: { agent: Agent }) {
  const [address, setAddress] = useSearchValue('conversation')
  const [session, setSession] = useState({ id: address, number: 0 })
  // A conversation that began on this page gets its address without a reload.
  const known = useRef(address)
  useEffect(() => {
    if (address === known.current) return
    known.current = address
    setSession(({ number }) => ({ id: address, number: number + 1 }))
  }, [address])
  const begun = useCallback(
    (id: string) => {
      known.current = id
      setAddress(id)
    },
    [setAddress],
  )
  const startNew = () => {
    known.current = ''
    setAddress('')
    setSession(({ number }) => ({ id: '', number: number + 1 }))
  }
  return (
    <section aria-label="Conversation" className="flex min-w-0 flex-1 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-[15px] font-semibold">Playground</h2>
        <span className="flex flex-wrap gap-2">
          {address !== '' && <ShareButton conversationId={address} />}
          <ConversationMenu agentId={agent.id} present={address} onChoose={setAddress} />
          <Button size="small" icon={MessageSquarePlus} onClick={startNew}>
            New conversation
          </Button>
        </span>
      </div>
      {session.id === '' ? (
        <Conversation key={session.number} agent={agent} earlier={[]} conversationId={null} onBegun={begun} />
      ) : (
        <Continued key={session.number} agent={agent} conversationId={session.id} onBegun={begun} />
      )}
    </section>
  )
}

type ContinuedProps = { agent: Agent; conversationId: string; onBegun: (id: string) => void }

function Continued({ agent, conversationId, onBegun }: ContinuedProps) {
  const runs = useApiQuery(['conversations', conversationId, 'opened'], (atrium, options) =>
    atrium.conversations
      .runs(conversationId, { pageSize: mostTurns, expand: 'steps,citations' }, options)
      .page(),
  )
  // What was said meanwhile is in the turns already: the list is read once.
  const [first, setFirst] = useState<readonly Run[] | null>(null)
  if (first === null && runs.data !== undefined && !runs.isFetching) {
    setFirst(
      runs.data.items
        .map(run => ({ messages: null, ...run, steps: run.steps ?? [], citations: run.citations ?? [] }))
        .toReversed(),
    )
  }
  if (first !== null) {
    return <Conversation agent={agent} earlier={first} conversationId={conversationId} onBegun={onBegun} />
  }
  return (
    <>
      <Loaded query={runs}>{() => <Loading what="Loading the conversation" />}</Loaded>
      {runs.error instanceof ApiError && runs.error.code === 'not_found' && (
        <OpenWithReason conversationId={conversationId} onOpen={() => void runs.refetch()} />
      )}
    </>
  )
}

type ConversationProps = {
  agent: Agent
  earlier: readonly Run[]
  conversationId: string | null
  onBegun: (id: string) => void
}

function Conversation({ agent, earlier, conversationId, onBegun }: ConversationProps) {
  const toasts = useToasts()
  const { turns, active, send, retry, stop, decide } = useConversation({
    agentId: agent.id,
    earlier,
    conversationId,
    onBegun,
  })
  const mayChange = useMayChange({ ownerId: earlier[0]?.ownerId ?? null })
  const { kept, key } = useKeptDraft<string>(`message ${agent.id}`)
  const [text, setText] = useState(kept ?? '')
  // A message is the server's once its run is known; until then it comes back with the page.
  const unsent = turns.filter(({ runId }) => runId === null).map(({ prompt }) => prompt)
  useKeeping(key, [...unsent, text].filter(part => part.trim() !== '').join('\n\n') || null)
  const input = useRef<HTMLTextAreaElement>(null)
  useFollowedEnd(turns)
  return (
    <>
      {turns.length === 0 && <FirstWords />}
      <div className="flex min-w-0 flex-col gap-6">
        {turns.map((turn, index) => (
          <TurnView
            key={turn.key}
            turn={turn}
            number={index + 1}
            onDecide={(pending, decision) => decide(turn, pending, decision)}
            onRetry={() => retry(turn)}
          />
        ))}
      </div>
      <div className={turns.length === 0 ? '' : 'sticky bottom-0 z-10 -mx-1 bg-canvas px-1 pt-1 pb-3'}>
        <Composer
          agent={agent}
          mayContinue={earlier.length === 0 || mayChange}
          text={text}
          onText={setText}
          inputRef={input}
          isFirst={turns.length === 0}
          onSend={send}
          onStop={active === null ? null : () => stop(active).catch(toasts.fail)}
        />
      </div>
      {turns.length === 0 && (
        <Simulations
          agent={agent}
          onChoose={prompt => {
            setText(prompt)
            input.current?.focus()
          }}
        />
      )}
    </>
  )
}

/** So near to the end counts as reading along. */
const nearPx = 160

/** Keeps the newest words in view, unless the reader has scrolled up. */
function useFollowedEnd(turns: readonly unknown[]): void {
  const isNear = useRef(true)
  const before = useRef(turns.length)
  useEffect(() => {
    const look = () => {
      const page = document.documentElement
      isNear.current = page.scrollHeight - page.scrollTop - page.clientHeight < nearPx
    }
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useEffect(() => {
    const hasAsked = turns.length > before.current
    before.current = turns.length
    if (turns.length > 0 && (hasAsked || isNear.current)) {
      window.scrollTo({ top: document.documentElement.scrollHeight })
    }
  }, [turns])
}

type ConversationMenuProps = { agentId: string; present: string; onChoose: (id: string) => void }

function ConversationMenu({ agentId, present, onChoose }: ConversationMenuProps) {
  const { data } = useApiQuery(['agents', agentId, 'conversations'], (atrium, options) =>
    atrium.conversations.list({ agentId, pageSize: 15 }, options).page(),
  )
  if (data === undefined || data.items.length === 0) return null
  return (
    <Menu
      trigger={
        <Button size="small" icon={History}>
          Earlier
        </Button>
      }
    >
      <MenuChoices
        label="Earlier conversations"
        value={present}
        onChange={onChoose}
        choices={data.items.map(({ id, name }) => ({
          value: id,
          label: (
            <span dir="auto" className="line-clamp-1 max-w-80 break-all">
              {name}
            </span>
          ),
        }))}
      />
    </Menu>
  )
}

const simulations = [
  { prompt: 'sim:reasoning sim:stream=20', does: 'Thinks, then writes twenty words' },
  { prompt: 'sim:slow=30s', does: 'Takes long enough to be stopped' },
  { prompt: 'sim:approval', does: 'Waits for your approval of a tool' },
  { prompt: 'sim:disconnect_after=3 sim:stream=20', does: 'Breaks the connection, which is taken up again' },
  { prompt: 'sim:stream=5 sim:unavailable', does: 'Breaks off in the middle of the answer' },
  { prompt: 'sim:tool_error', does: 'Fails by its tools' },
]

function FirstWords() {
  return (
    <EmptyState icon={MessagesSquare} title="Try the agent">
      Ask it what your users will ask. You see each step as it happens: what it searches, which tools it
      calls, what it costs. The numbers in its answer open the passage that they stand for.
    </EmptyState>
  )
}

type SimulationsProps = { agent: Agent; onChoose: (prompt: string) => void }

/** Only the sandbox brings about whatever is asked for. */
function Simulations({ agent, onChoose }: SimulationsProps) {
  const { environment } = useScope()
  if (environment !== 'test') return null
  const usable = simulations.filter(
    ({ prompt }) => prompt !== 'sim:approval' || agent.approvalTools.length > 0,
  )
  return (
    <Notice title="In the sandbox, prompts that begin with sim: bring about any outcome">
      <p className="mb-3 text-muted">
        They cost nothing and are the same each time, so that a program can be tested with them too.
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {usable.map(({ prompt, does }) => (
          <li key={prompt} className="flex min-w-0 flex-col items-start gap-0.5">
            <Button size="small" icon={FlaskConical} className="max-w-full" onClick={() => onChoose(prompt)}>
              <span className="min-w-0 truncate font-mono text-[12px]">{prompt}</span>
            </Button>
            <span className="text-[13px] text-muted">{does}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
