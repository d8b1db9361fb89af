/** One prompt with its answer, as it comes. */
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useIsAway } from '../../../api/connection.ts'
import { count, formatDuration } from '../../../ui/format.ts'
import { ErrorNotice, Notice } from '../../../ui/notices.tsx'
import { Spinner } from '../../../ui/waiting.tsx'
import { Answer } from '../answer.tsx'
import { FeedbackButtons } from '../feedback.tsx'
import { type Decide, PendingCalls } from '../pending-calls.tsx'
import { factsOf, RunFailure } from '../run-summary.tsx'
import { Steps, titlesOf } from '../steps.tsx'
import { ValueBlock } from '../value-block.tsx'
import { type Turn, writtenSoFar } from './turn.ts'

type TurnViewProps = { turn: Turn; number: number; onDecide: Decide; onRetry: () => void }

export function TurnView({ turn, number, onDecide, onRetry }: TurnViewProps) {
  const { prompt, phase, run, steps, isBroken, fault } = turn
  const isAway = useIsAway()
  const text = phase === 'ended' ? (run?.output ?? writtenSoFar(turn)) : writtenSoFar(turn)
  return (
    <article aria-label={`Turn ${number}`} className="flex min-w-0 flex-col gap-3">
      <p
        dir="auto"
        className="ml-auto max-w-[85%] rounded-lg rounded-br-sm bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap"
      >
        <span className="sr-only">You: </span>
        {prompt}
      </p>
      <div className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4 shadow-card">
        {steps.length > 0 && <Work turn={turn} number={number} />}
        <Reasoning turn={turn} />
        {text !== '' && <Answer text={text} citations={run?.citations ?? []} titles={titlesOf(steps)} />}
        {run?.structuredOutput != null && (
          <ValueBlock
            label={`Structured output of turn ${number}`}
            caption="Structured output"
            value={run.structuredOutput}
          />
        )}
        {phase === 'waiting' && run !== null && <PendingCalls run={run} onDecide={onDecide} />}
        {run?.error != null && <RunFailure error={run.error} />}
        {run?.status === 'cancelled' && <p className="text-muted">It was stopped.</p>}
        {isBroken && !isAway && (
          <Notice tone="warn" title="The connection is broken">
            The run goes on. Its answer is taken up here where it broke off, as soon as the server can be
            reached.
          </Notice>
        )}
        <ErrorNotice error={fault} onRetry={onRetry} />
        {isBroken && isAway && <Waits isSent={turn.runId !== null} />}
        {fault === null && !isBroken && <Progress turn={turn} hasText={text !== ''} />}
        {run !== null && phase === 'ended' && (
          <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t pt-2.5 text-[13px] text-muted">
            <p>{factsOf(run).join(' · ')}</p>
            <span className="flex items-center gap-1">
              <FeedbackButtons run={run} />
              <Link
                to={`/runs/${run.id}`}
                className="rounded-sm px-1.5 py-1 text-accent-text underline-offset-3 hover:underline"
              >
                Timeline
              </Link>
            </span>
          </footer>
        )}
      </div>
    </article>
  )
}

/** The banner says why. */
const Waits = ({ isSent }: { isSent: boolean }) => (
  <p className="flex items-center gap-2 text-[13px] text-muted">
    <Spinner size={14} />
    {isSent ? 'Goes on once the server is back…' : 'Is sent once the server is back…'}
  </p>
)

function Work({ turn: { steps, run, phase }, number }: { turn: Turn; number: number }) {
  const took = run?.durationMs ?? steps.reduce((sum, { record }) => sum + (record?.durationMs ?? 0), 0)
  return (
    // Open while there is something to see coming; afterwards the answer is what matters.
    <details open={phase !== 'ended'} className="group/work min-w-0">
      <summary className="flex min-h-8 w-fit list-none items-center gap-1.5 rounded-sm text-[13px] text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden size={14} className="transition-transform group-open/work:rotate-90" />
        {count(steps.length, 'step')}
        {took > 0 && ` · ${formatDuration(took)}`}
      </summary>
      <div className="mt-1.5">
        <Steps steps={steps} of={`of turn ${number}`} />
      </div>
    </details>
  )
}

/** What the model thinks, while it does; afterwards it stands with its step. */
function Reasoning({ turn: { steps, phase } }: { turn: Turn }) {
  const last = steps.at(-1)
  if (phase === 'ended' || last === undefined || last.reasoning === '' || last.text !== '') return null
  return (
    <p
      dir="auto"
      className="border-s-2 ps-3 text-[13px] leading-5 break-words whitespace-pre-wrap text-muted"
    >
      {last.reasoning}
    </p>
  )
}

function Progress({ turn: { phase, steps }, hasText }: { turn: Turn; hasText: boolean }) {
  if (phase === 'ended' || phase === 'waiting') return null
  const last = steps.at(-1)
  const words =
    phase === 'sending'
      ? 'Sending'
      : phase === 'queued'
        ? 'Waits for its turn'
        : last?.type === 'tool' && last.record === null
          ? `Calls ${last.name}`
          : hasText
            ? 'Writes'
            : 'Thinks'
  return (
    <p className="flex items-center gap-2 text-[13px] text-muted">
      <Spinner size={14} /> {words}…
    </p>
  )
}
