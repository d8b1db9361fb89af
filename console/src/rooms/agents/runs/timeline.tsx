/** The steps of a run as bars over its time; each opens to what went in and what came out. */
import type { Run } from '@atrium/sdk'
import { ChevronRight, Cpu, Wrench } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import { formatDuration } from '../../../ui/format.ts'
import type { TurnStep } from '../playground/turn.ts'
import { gistOf, hasFailed, StepDetails } from '../steps.tsx'

type Bar = { step: TurnStep; fromMs: number; durationMs: number }

export function Timeline({ run, steps }: { run: Run; steps: readonly TurnStep[] }) {
  const bars = barsOf(run, steps)
  const totalMs = Math.max(
    1,
    run.durationMs ?? 0,
    ...bars.map(({ fromMs, durationMs }) => fromMs + durationMs),
  )
  if (bars.length === 0) return <p className="text-muted">It has done nothing yet.</p>
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div aria-hidden className="flex justify-between pl-7 text-[12px] text-muted sm:pr-18 sm:pl-59">
        <span>0</span>
        <span>{formatDuration(totalMs)}</span>
      </div>
      <ol className="flex flex-col divide-y">
        {bars.map(bar => (
          <li key={bar.step.index} className="min-w-0">
            <Row bar={bar} totalMs={totalMs} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Row({ bar: { step, fromMs, durationMs }, totalMs }: { bar: Bar; totalMs: number }) {
  const Shape = step.type === 'model' ? Cpu : Wrench
  const percent = (valueMs: number) => `${Math.min(100, (valueMs / totalMs) * 100)}%`
  const failed = hasFailed(step)
  return (
    <details className="group min-w-0">
      <summary className="grid list-none grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 rounded-sm py-2 hover:bg-hover sm:grid-cols-[20px_200px_minmax(0,1fr)_64px] [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="text-muted transition-transform group-open:rotate-90"
        />
        <span className="flex min-w-0 items-center gap-2">
          <Shape aria-hidden size={14} className="shrink-0 text-muted" />
          <span className="min-w-0">
            <span className="block truncate font-mono text-[13px]">{step.name}</span>
            <span
              className={classNames('block truncate text-[12px]', failed ? 'text-danger-text' : 'text-muted')}
            >
              {failed ? 'It failed' : gistOf(step)}
            </span>
          </span>
        </span>
        <span className="order-last col-span-3 h-2.5 rounded-full bg-sunken sm:order-none sm:col-span-1">
          <span
            className={classNames('block h-full min-w-1 rounded-full', barColour(step, failed))}
            style={{
              marginLeft: percent(fromMs),
              width: percent(durationMs),
              maxWidth: `calc(100% - ${percent(fromMs)})`,
            }}
          />
        </span>
        <span className="text-right text-[13px] whitespace-nowrap text-muted">
          {formatDuration(durationMs)}
        </span>
      </summary>
      <div className="flex min-w-0 flex-col gap-3 pt-1 pb-4 sm:pl-7">
        <p className="text-[13px] text-muted">
          {step.type === 'model' ? 'A call of the model' : 'A call of a tool'}, begun {formatDuration(fromMs)}{' '}
          after the start
        </p>
        <StepDetails step={step} label={`step ${step.index + 1}`} />
      </div>
    </details>
  )
}

const barColour = ({ type }: TurnStep, failed: boolean): string =>
  failed ? 'bg-danger' : type === 'model' ? 'bg-accent' : 'bg-edge'

function barsOf(run: Run, steps: readonly TurnStep[]): Bar[] {
  const start = Date.parse(run.startedAt ?? run.createdAt)
  return steps.flatMap(step =>
    step.record === null
      ? []
      : [
          {
            step,
            fromMs: Math.max(0, Date.parse(step.record.startedAt) - start),
            durationMs: step.record.durationMs,
          },
        ],
  )
}
