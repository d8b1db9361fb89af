/** A conversation that is being held: its turns, and what can be done with them. */
import type { Atrium, Run, RunEvent } from '@atrium/sdk'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { reportFailure } from '../../../api/connection.ts'
import { useReadAgain } from '../../../api/queries.ts'
import { useScope } from '../../../api/scope.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import type { Decide } from '../pending-calls.tsx'
import { followRun } from './follow-run.ts'
import { newTurn, settled, type Turn, turnOf, withEvent } from './turn.ts'

export type NewPrompt = Parameters<Atrium['agents']['stream']>[1] & { prompt: string }

type Options = {
  agentId: string
  /** What was said before, the earliest first. */
  earlier: readonly Run[]
  conversationId: string | null
  onBegun: (conversationId: string) => void
}

export function useConversation({ agentId, earlier, conversationId, onBegun }: Options) {
  const { atrium } = useScope()
  const [turns, setTurns] = useState<readonly Turn[]>(() => earlier.map(turnOf))
  const prompts = useRef(new Map<string, NewPrompt>())
  const conversation = useRef(conversationId)
  const ended = useEnding()
  const leaving = useRef(new AbortController())
  const stops = useRef(new Map<string, AbortController>())

  const change = useCallback(
    (key: string, next: (turn: Turn) => Turn) =>
      setTurns(before => before.map(turn => (turn.key === key ? next(turn) : turn))),
    [],
  )

  /** The conversation of a first prompt is known once its run has begun. */
  const nameConversation = useCallback(
    async (runId: string) => {
      if (conversation.current !== null) return
      const run = await atrium.runs.get(runId)
      conversation.current = run.conversationId
      onBegun(run.conversationId)
    },
    [atrium, onBegun],
  )

  const follow = useCallback(
    async ({ key, runId, lastEventId }: Turn) => {
      const stop = new AbortController()
      stops.current.set(key, stop)
      const prompt = prompts.current.get(key)
      let isNamed = false
      const onEvent = (event: RunEvent) => {
        change(key, turn => withEvent(turn, event))
        if (isOver(event)) ended(event)
        if (isNamed) return
        isNamed = true
        // The address is a convenience: without it the conversation goes on, and is in the list of runs.
        nameConversation(event.runId).catch(() => undefined)
      }
      try {
        const run = await followRun({
          atrium,
          start:
            prompt === undefined
              ? null
              : options => atrium.agents.stream(agentId, prompt, { ...options, idempotencyKey: key }),
          runId,
          lastEventId,
          signal: AbortSignal.any([leaving.current.signal, stop.signal]),
          onBreak: () => change(key, turn => ({ ...turn, isBroken: true })),
          onEvent,
        })
        if (run !== null) change(key, turn => settled(turn, run))
      } catch (fault) {
        change(key, turn => ({ ...turn, fault, isBroken: false }))
      }
    },
    [atrium, agentId, change, ended, nameConversation],
  )

  useFollowWhileOpen(turns, follow, leaving)
  useDecidedElsewhere(turns, async (turn, signal) => {
    const run = await atrium.runs.get(turn.runId ?? '', { signal })
    if (isSameWait(turn.run, run)) return
    const now = settled(turn, run)
    // A turn that did not hear the story from its beginning hears it now.
    const after = turn.lastEventId === null && now.phase === 'running' ? { ...now, steps: [] } : now
    change(turn.key, () => after)
    if (after.phase === 'running') void follow(after)
  })

  return {
    turns,
    /** The one that is in progress; null if another prompt can be sent. */
    active: turns.find(({ phase, fault }) => phase !== 'ended' && fault === null) ?? null,
    send: (prompt: NewPrompt) => {
      const turn = newTurn(randomKey(), prompt.prompt)
      const goesOn = conversation.current === null ? {} : { conversationId: conversation.current }
      prompts.current.set(turn.key, { ...prompt, ...goesOn })
      setTurns(before => [...before, turn])
      void follow(turn)
    },
    /** Goes on where following has failed; sends again what never arrived, which happens once all the same. */
    retry: (turn: Turn) => {
      const again: Turn = { ...turn, fault: null }
      change(turn.key, () => again)
      void follow(again)
    },
    stop: async ({ key, runId, prompt }: Turn) => {
      if (runId !== null) {
        const run = await atrium.runs.cancel(runId)
        // A run that waits is not followed, so nothing else tells that it has ended.
        change(key, turn => (turn.phase === 'waiting' ? settled(turn, run) : turn))
        return
      }
      stops.current.get(key)?.abort()
      change(key, turn => ({ ...turn, isBroken: false, fault: new Error(`“${prompt}” was not sent`) }))
    },
    decide: async (turn: Turn, ...[pending, decision]: Parameters<Decide>) => {
      await atrium.runs.decide(pending.runId, [{ toolCallId: pending.toolCallId, ...decision }])
      const after = withoutDecided(turn, pending)
      change(turn.key, () => after)
      if (after.phase === 'running') void follow(after)
    },
  }
}

/**
 * Runs that were in progress when the page was opened are followed from their beginning, and all of them until it is left.
 * The runs themselves go on; they are found again by the conversation's address.
 */
function useFollowWhileOpen(
  turns: readonly Turn[],
  follow: (turn: Turn) => Promise<void>,
  leaving: RefObject<AbortController>,
): void {
  const [first] = useState(() => turns.filter(({ phase }) => phase === 'running'))
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    for (const turn of first) void follow(turn)
    return () => controller.abort()
  }, [first, follow, leaving])
}

const lookAgainMs = 3_000

/** Others may decide what waits here, in their own page or by the API: a run that waits tells nothing of it by itself. */
function useDecidedElsewhere(
  turns: readonly Turn[],
  look: (turn: Turn, signal: AbortSignal) => Promise<void>,
): void {
  const waiting = turns.find(({ phase }) => phase === 'waiting')
  const present = useRef({ waiting, look })
  present.current = { waiting, look }
  const isWaiting = waiting !== undefined
  useEffect(() => {
    if (!isWaiting) return undefined
    const controller = new AbortController()
    const timer = setInterval(() => {
      const { waiting: turn, look: lookNow } = present.current
      if (turn === undefined || document.hidden) return
      lookNow(turn, controller.signal).catch(reportFailure)
    }, lookAgainMs)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [isWaiting])
}

/** The turn once a call is decided: it goes on if it waits for nothing else. */
function withoutDecided(turn: Turn, decided: Parameters<Decide>[0]): Turn {
  const { run } = turn
  const pendingApprovals = (run?.pendingApprovals ?? []).filter(
    ({ runId, toolCallId }) => runId !== decided.runId || toolCallId !== decided.toolCallId,
  )
  const goesOn = pendingApprovals.length === 0 && (run?.pendingToolCalls ?? []).length === 0
  return {
    ...turn,
    run: run === null ? null : { ...run, pendingApprovals },
    phase: goesOn ? 'running' : 'waiting',
    // A turn that did not hear the story from its beginning hears it now.
    steps: turn.lastEventId === null ? [] : turn.steps,
  }
}

const isSameWait = (before: Run | null, now: Run): boolean =>
  now.status === 'waiting' && waitedFor(before) === waitedFor(now)

const waitedFor = (run: Run | null): string =>
  [...(run?.pendingApprovals ?? []), ...(run?.pendingToolCalls ?? [])]
    .map(({ runId, toolCallId }) => `${runId} ${toolCallId}`)
    .join()

function useEnding(): (event: RunEvent) => void {
  const readAgain = useReadAgain()
  const announce = useAnnounce()
  return useCallback(
    ({ type }: RunEvent) => {
      announce(endings[type] ?? '')
      void readAgain([['agents']])
    },
    [announce, readAgain],
  )
}

const endings: Partial<Record<RunEvent['type'], string>> = {
  'run.succeeded': 'The answer is there',
  'run.failed': 'The run has failed',
  'run.cancelled': 'The run is stopped',
  'run.waiting': 'The run waits for an approval or a result',
}

const isOver = ({ type }: RunEvent): boolean => endings[type] !== undefined

/** Not `crypto.randomUUID`: browsers have it on secure pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
