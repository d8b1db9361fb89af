/** What a run did, step by step: calls of the model and of tools, each with what went in and what came out. */
import { ChevronRight, Cpu, Wrench } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { formatDuration, formatUsd } from '../../ui/format.ts'
import { Spinner } from '../../ui/waiting.tsx'
import type { TurnStep } from './playground/turn.ts'
import { ValueBlock } from './value-block.tsx'

/** `of` makes its labels differ from those of another run on the page. */
export function Steps({ steps, of }: { steps: readonly TurnStep[]; of: string }) {
  return (
    <ol className="flex flex-col gap-1.5">
      {steps.map(step => (
        <li key={step.index}>
          <Step step={step} label={`step ${step.index + 1} ${of}`} />
        </li>
      ))}
    </ol>
  )
}

function Step({ step, label }: { step: TurnStep; label: string }) {
  const { type, name, record } = step
  const Shape = type === 'model' ? Cpu : Wrench
  const approval = approvalOf(step)
  return (
    <details className="group min-w-0 rounded-md border bg-surface">
      <summary className="flex min-h-9 list-none items-center gap-2 rounded-md px-3 py-1.5 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <Shape aria-hidden size={14} className="shrink-0 text-muted" />
        <span className="font-mono text-[13px] whitespace-nowrap">{name}</span>
        <span className="min-w-0 flex-1 truncate text-[13px] text-muted">{gistOf(step)}</span>
        {hasFailed(step) && <Badge tone="danger">Error</Badge>}
        {approval !== undefined && <Badge>{approvalWords[approval.decision]}</Badge>}
        <span className="shrink-0 text-[12px] text-muted">
          {record === null ? <Spinner size={14} /> : formatDuration(record.durationMs)}
        </span>
      </summary>
      <div className="flex flex-col gap-3 border-t p-3">
        <StepDetails step={step} label={label} />
      </div>
    </details>
  )
}

const approvalWords = { approve: 'Approved', reject: 'Rejected' }

/** Only calls of tools wait for an approval. */
const approvalOf = ({ record }: TurnStep) => (record?.type === 'tool' ? record.approval : undefined)

export function StepDetails({ step, label }: { step: TurnStep; label: string }) {
  const { reasoning, text, input, record } = step
  const passages = listIn(record?.output, 'passages')
  const approval = approvalOf(step)
  return (
    <>
      {approval !== undefined && (
        <p className="text-[13px] text-muted">
          {approvalWords[approval.decision]}
          {approval.reason === null ? '' : `: ${approval.reason}`}
        </p>
      )}
      {reasoning !== '' && <Words caption="Reasoning" text={reasoning} />}
      {record === null && text !== '' && <Words caption="Written so far" text={text} />}
      {input !== undefined && input !== null && (
        <ValueBlock label={`Input of ${label}`} caption="Input" value={input} />
      )}
      {passages.length > 0 && <Passages passages={passages} />}
      {record !== null && passages.length === 0 && (
        <ValueBlock label={`Output of ${label}`} caption="Output" value={record.output} />
      )}
      {record === null && <p className="text-[13px] text-muted">It is in progress.</p>}
    </>
  )
}

function Words({ caption, text }: { caption: string; text: string }) {
  return (
    <div>
      <p className="text-[13px] font-medium text-muted">{caption}</p>
      <p
        dir="auto"
        className="mt-1 border-s-2 ps-3 text-[13px] leading-5 break-words whitespace-pre-wrap text-muted"
      >
        {text}
      </p>
    </div>
  )
}

function Passages({ passages }: { passages: readonly unknown[] }) {
  return (
    <ol className="flex flex-col gap-2.5">
      {passages.map(passage => (
        <li key={`${textIn(passage, 'marker')} ${textIn(passage, 'chunkId')}`} className="text-[13px]">
          <p className="font-medium">
            <span className="text-accent-text">{textIn(passage, 'marker')}</span> {textIn(passage, 'title')}
          </p>
          <p className="line-clamp-3 leading-5 break-words text-muted">{textIn(passage, 'text')}</p>
        </li>
      ))}
    </ol>
  )
}

export function gistOf({ type, input, record }: TurnStep): string {
  if (type === 'tool') {
    const texts = Object.values(recordIn(input)).filter(value => typeof value === 'string')
    return texts.join(' · ')
  }
  const usage = fieldOf(record?.output, 'usage')
  const calls = listIn(record?.output, 'toolCalls').map(call => textIn(call, 'name'))
  const cost = fieldOf(usage, 'costUsd')
  return [
    calls.length > 0 ? `calls ${calls.join(', ')}` : null,
    typeof fieldOf(usage, 'outputTokens') === 'number'
      ? `${String(fieldOf(usage, 'inputTokens'))} → ${String(fieldOf(usage, 'outputTokens'))} tokens`
      : null,
    typeof cost === 'number' && cost > 0 ? formatUsd(cost) : null,
  ]
    .filter(part => part !== null)
    .join(' · ')
}

export const hasFailed = ({ record }: TurnStep): boolean => fieldOf(record?.output, 'error') !== undefined

export function titlesOf(steps: readonly TurnStep[]): Map<string, string> {
  const passages = steps.flatMap(({ record }) => listIn(record?.output, 'passages'))
  const titled = passages.filter(passage => textIn(passage, 'title') !== '')
  return new Map(titled.map(passage => [textIn(passage, 'documentId'), textIn(passage, 'title')]))
}

/** Reads from values whose shape the API leaves open, such as what a tool was given and has answered. */
const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

const fieldOf = (value: unknown, name: string): unknown => recordIn(value)[name]

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}

function textIn(value: unknown, name: string): string {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}
