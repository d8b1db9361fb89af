/**
 * A run's answer for a client of OpenAI's protocol: its texts, the calls that the client must carry out, its sources.
 */
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Citation, Run } from '../agents/records/run-schemas.ts'
import { answerRestarted, type Failure, failureOfRun, needsApproval } from './errors.ts'
import { callIdOf } from './items.ts'
import { ownMetadata } from './requests/reading.ts'

/** Offsets count the code points of the text. */
export type Annotation = {
  type: 'url_citation'
  start_index: number
  end_index: number
  url: string
  title: string
  /** The source behind the marker, as a run shows it. */
  citation: Citation
}

/** The model's text in one step; only the last text has sources. */
export type Text = { stepIndex: number; text: string; annotations: Annotation[] }
export type AnswerCall = { index: number; id: string; name: string; arguments: string }
export type Finish = 'stop' | 'length' | 'content_filter' | 'tool_calls'
export type Answer = { texts: Text[]; calls: AnswerCall[]; finish: Finish; run: Run }

/** The state of a run for a client that waits for its answer. */
export type Outcome =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'working' }

const modelKey = `${ownMetadata}model`
const oneCallKey = `${ownMetadata}one_call`

/** The metadata for a model that a request named instead of an agent. */
export const keptModel = (model: string | null): Record<string, unknown> =>
  model === null ? {} : { [modelKey]: model }

/** The metadata for a client that carries out one call at a time. */
export const keptOneCall = (hasOneCall: boolean): Record<string, unknown> =>
  hasOneCall ? { [oneCallKey]: true } : {}

/** Whether an answer has at most one call. The model may ask for the other calls again after the result. */
export const hasOneCall = ({ metadata }: Pick<Run, 'metadata'>): boolean => oneCallKey in metadata

/** The name in the request: an agent's id, or a model's name. */
export function modelOf({ metadata, agentId }: Pick<Run, 'metadata' | 'agentId'>): string {
  const model = (metadata as Record<string, unknown>)[modelKey]
  return typeof model === 'string' ? model : agentId
}

/** The tokens of all steps, and those among them that came from a cache or are reasoning. */
export function tokensOf({ usage, steps }: Pick<Run, 'usage' | 'steps'>) {
  let [cached, reasoning] = [0, 0]
  for (const step of steps) {
    if (step.type !== 'model') continue
    cached += step.output.usage?.cachedInputTokens ?? 0
    reasoning += step.output.usage?.reasoningTokens ?? 0
  }
  const { inputTokens: input, outputTokens: output } = usage
  return { input, output, cached, reasoning, total: input + output }
}

/** Returns the address of a passage, for people. */
export type LinkTo = (citation: Citation) => string

export function outcomeOf(run: Run, linkTo: LinkTo): Outcome {
  const answered = (finish: Finish, calls: AnswerCall[] = []): Outcome => ({
    kind: 'answer',
    answer: { texts: textsOf(run, linkTo), calls, finish, run },
  })
  const all = callsOf(run)
  const calls = hasOneCall(run) ? all.slice(0, 1) : all
  switch (run.status) {
    case 'succeeded':
      return answered('stop')
    case 'waiting':
      if (run.pendingApprovals.length > 0) return { kind: 'failure', failure: needsApproval(run) }
      return answered('tool_calls', calls)
    case 'failed':
      if (run.error?.code === 'output_truncated') return answered('length')
      if (run.error?.code === 'content_filtered') return answered('content_filter')
      // The results came with another request, or never came.
      if (run.error?.code === 'tool_result_expired' && calls.length > 0) return answered('tool_calls', calls)
      return { kind: 'failure', failure: failureOfRun(run) }
    case 'cancelled':
      if (calls.length > 0) return answered('tool_calls', calls)
      return { kind: 'failure', failure: failureOfRun(run) }
    default:
      return { kind: 'working' }
  }
}

/** An answer that must fit a schema, or hold a call, may be rejected and written again: only the last one is sent. */
export const isHeld = ({ responseSchema, toolChoice }: Pick<Run, 'responseSchema' | 'toolChoice'>): boolean =>
  responseSchema !== null || (toolChoice !== 'auto' && toolChoice !== 'none')

export function textsOf(run: Run, linkTo: LinkTo): Text[] {
  const written = run.steps.flatMap((step, stepIndex) => {
    if (step.type !== 'model') return []
    const { text = '', error, rejected } = step.output
    return text === '' || error !== undefined || rejected !== undefined ? [] : [{ stepIndex, text }]
  })
  const last = written.at(-1)
  return (isHeld(run) ? written.slice(-1) : written).map(one => ({
    ...one,
    annotations: one === last ? annotationsOf(one.text, run, linkTo) : [],
  }))
}

/** A text may have as many markers as characters, so their number is limited. */
const mostAnnotations = 200

/** One annotation for each marker in the text, in order. */
function annotationsOf(text: string, run: Run, linkTo: LinkTo): Annotation[] {
  if (run.citations.length === 0) return []
  const titles = titlesOf(run)
  const byMarker = Map.groupBy(run.citations, ({ marker }) => marker)
  const seen = new Map<string, number>()
  const annotations: Annotation[] = []
  let behind = 0
  let codePoints = 0
  for (const match of text.matchAll(markers)) {
    codePoints += lengthOf(text.slice(behind, match.index))
    const start = codePoints
    codePoints += lengthOf(match[0])
    behind = match.index + match[0].length
    for (const number of (match[1] ?? '').split(',')) {
      const marker = `[${Number(number)}]`
      const cited = byMarker.get(marker) ?? []
      // A marker that comes again follows other words, and may have a citation of its own.
      const nth = seen.get(marker) ?? 0
      seen.set(marker, nth + 1)
      const citation = cited[Math.min(nth, cited.length - 1)]
      if (citation === undefined) continue
      annotations.push({
        type: 'url_citation',
        start_index: start,
        end_index: codePoints,
        url: linkTo(citation),
        title: titles.get(citation.documentId) ?? 'Document',
        citation,
      })
      if (annotations.length === mostAnnotations) return annotations
    }
  }
  return annotations
}

/** The same markers as in the agents' citations.ts: `[1]`, or `[1, 2]` for several at once. */
const markers = /\[(\d{1,4}(?:\s*,\s*\d{1,4}){0,9})\]/g

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const titlesOf = (run: Run): Map<string, string> =>
  new Map(
    run.steps.flatMap(step => {
      const passages = step.type === 'tool' ? (step.output.passages ?? []) : []
      return passages
        .filter(({ title }) => title !== '')
        .map(({ documentId, title }): [string, string] => [documentId, title])
    }),
  )

/** The first number for a call of a part of the run, since that call is in none of this run's answers. */
const firstOfParts = 100

/** Only the client's own functions: the client must not repeat the calls of the agent's tools. */
function callsOf(run: Run): AnswerCall[] {
  const last = run.steps.findLastIndex(step => step.type === 'model' && step.output.toolCalls !== undefined)
  const step = run.steps[last]
  const asked = step?.type === 'model' ? (step.output.toolCalls ?? []) : []
  const call = (index: number, name: string, input: unknown): AnswerCall => ({
    index,
    id: callIdOf(run.id, index),
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  })
  if (run.status === 'waiting') {
    return run.pendingToolCalls
      .map(({ toolCallId, name, input, runId }, at) => {
        const index = runId === run.id ? asked.findIndex(({ id }) => id === toolCallId) : -1
        return call(index < 0 ? firstOfParts + at : index, name, asked[index]?.arguments ?? input)
      })
      .sort((one, other) => one.index - other.index)
  }
  // The run has ended since, because another run continued it.
  const answered = new Set(
    run.steps.slice(last + 1).flatMap(one => (one.type === 'tool' ? [one.toolCallId] : [])),
  )
  const own = new Set(run.functions.map(({ name }) => name))
  return asked.flatMap(({ id, name, arguments: input }, index) =>
    own.has(name) && !answered.has(id) ? [call(index, name, input)] : [],
  )
}

export type Told =
  | { kind: 'text'; stepIndex: number; text: string }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'answer'; answer: Answer }

/**
 * Follows a run's events, and sends each text once: text that was sent is never taken back or repeated. If the run
 * restarts a text that was sent, the teller sends a failure instead, and nothing after it.
 */
export function createTeller({ holds, linkTo }: { holds: boolean; linkTo: LinkTo }) {
  const told = new Map<number, string>()
  let hasVoidText = false
  let ending: 'answer' | 'failure' | null = null

  const over = (last: { kind: 'answer'; answer: Answer } | { kind: 'failure'; failure: Failure }): Told[] => {
    ending = last.kind
    return [last]
  }
  const tell = (stepIndex: number, text: string): Told[] => {
    if (text === '') return []
    told.set(stepIndex, (told.get(stepIndex) ?? '') + text)
    return [{ kind: 'text', stepIndex, text }]
  }

  function end(run: Run): Told[] {
    const outcome = outcomeOf(run, linkTo)
    if (outcome.kind === 'working') return []
    if (outcome.kind === 'failure') return over({ kind: 'failure', failure: outcome.failure })
    const { texts } = outcome.answer
    const isKept = [...told].every(([stepIndex, text]) =>
      texts.some(one => one.stepIndex === stepIndex && one.text.startsWith(text)),
    )
    if (!isKept) return over(restarted())
    const rest = texts.flatMap(({ stepIndex, text }) =>
      tell(stepIndex, text.slice((told.get(stepIndex) ?? '').length)),
    )
    return [...rest, ...over(outcome)]
  }

  return {
    /** Which of the two was sent last; null if neither was. */
    ending: () => ending,
    take({ type, stepIndex = 0, text = '', step, run }: RunEvent): Told[] {
      if (ending !== null) return []
      if (run !== undefined) return end(run)
      // If the first model fails in the middle of its answer, another model begins the answer again.
      if (type === 'step.started' && hasVoidText) return over(restarted())
      if (type === 'step.restarted' && told.has(stepIndex)) return over(restarted())
      if (step?.type === 'model' && step.output.error !== undefined) hasVoidText = told.has(stepIndex)
      return type === 'text.delta' && !holds ? tell(stepIndex, text) : []
    },
  }
}

const restarted = () => ({ kind: 'failure' as const, failure: answerRestarted() })
