/** What must hold of the kill loop's runs whenever no work is left, by the records and by what their clients heard. */

import { isDeepStrictEqual } from 'node:util'
import type { RunRow, StepRow } from '../../features/agents/records/run-store.ts'
import { fromRow, type Step, usageOf } from '../../features/agents/records/steps.ts'
import type { Query } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Call } from './call.ts'
import type { Ask, RunBook } from './run-book.ts'
import { outputOf, type RunPeers } from './run-peers.ts'
import { putTogether, type StreamedEvent } from './told-run.ts'

/** Each run once it has ended, which it does once; the sums each time. */
export function createRunCheck(book: RunBook, peers: RunPeers) {
  const seen = new Set<string>()

  return async (_call: Call, query: Query): Promise<string[]> => {
    const rows = await query.selectFrom('runs').selectAll().where('agent_id', '=', book.agentId).execute()
    const runs = new Map(rows.map(row => [row.id, row]))
    const fresh = rows.filter(({ id, finished_at: at }) => at !== null && !seen.has(id))
    const faults = [...book.faults]
    for (const run of fresh) {
      seen.add(run.id)
      faults.push(...(await faultsOf(query, run, peers)).map(fault => `${run.id} (${run.prompt}): ${fault}`))
    }
    for (const ask of book.ended.splice(0)) faults.push(...faultsOfAsk(ask, runs.get(ask.id)))
    for (const { id } of book.open)
      if (!runs.has(id)) faults.push(`The run ${id} was acknowledged and is gone`)
    return [...faults, ...(await faultsOfSums(query, rows)), ...(await faultsOfTurns(query, rows))]
  }
}

async function faultsOf(query: Query, run: RunRow, peers: RunPeers): Promise<string[]> {
  const stepRows = await query
    .selectFrom('run_steps')
    .selectAll()
    .where('run_id', '=', run.id)
    .orderBy('seq')
    .execute()
  const steps = stepRows.map(fromRow)
  return [
    ...(await faultsOfEnd(query, run)),
    ...faultsOfSteps(run, stepRows, steps),
    ...faultsOfRequests(run, steps, peers),
    ...(await faultsOfEvents(query, run, steps)),
  ]
}

async function faultsOfEnd(query: Query, run: RunRow): Promise<string[]> {
  const [kind, word = ''] = run.prompt.split(' ')
  const faults: string[] = []
  const job = await query.selectFrom('jobs').selectAll().where('id', '=', run.job_id).executeTakeFirst()
  if (run.status === 'succeeded' && run.output !== outputOf(word)) faults.push(`it says ${run.output}`)
  if (run.status === 'cancelled' && kind !== 'cancelled') faults.push('it was cancelled without a request')
  // Killed at each of its attempts, and twice while no other job began beside it.
  const isGivenUp = run.error_code === 'crashed_server' && job?.state === 'dead' && job.deaths === 2
  if (run.status === 'failed' && !isGivenUp) faults.push(`it failed: ${run.error_code} ${run.error_message}`)
  if (run.status === 'queued' || run.status === 'running' || run.status === 'waiting') {
    faults.push(`it has ended as ${run.status}`)
  }
  return faults
}

function faultsOfSteps(run: RunRow, rows: readonly StepRow[], steps: readonly Step[]): string[] {
  const faults: string[] = []
  if (rows.some(({ seq }, index) => seq !== index + 1)) {
    faults.push(`its steps are numbered ${rows.map(({ seq }) => seq)}`)
  }
  const calls = steps.flatMap(step => (step.type === 'tool' ? [step.record.toolCallId] : []))
  if (new Set(calls).size < calls.length) faults.push(`its calls were answered twice: ${calls}`)
  const { inputTokens, outputTokens } = usageOf(steps)
  if (run.input_tokens !== inputTokens || run.output_tokens !== outputTokens) {
    faults.push(
      `it counts ${run.input_tokens}/${run.output_tokens} tokens, its steps ${inputTokens}/${outputTokens}`,
    )
  }
  return faults
}

/** What is not safe to repeat was done once, or not at all, or the record says that this is not known. */
function faultsOfRequests(run: RunRow, steps: readonly Step[], peers: RunPeers): string[] {
  const [kind, word = ''] = run.prompt.split(' ')
  const count = peers.received(word)
  if (count > 1) return [`its request was sent ${count} times`]
  if (run.status !== 'succeeded') return []
  if (kind === 'answered') {
    const answers = steps.flatMap(step => (step.type === 'tool' ? [step.record.content] : []))
    return isDeepStrictEqual(answers, [{ word }]) ? [] : [`its results are ${JSON.stringify(answers)}`]
  }
  if (kind !== 'tools') return []
  const request = steps.find(step => step.name === 'http_request')
  if (request?.type !== 'tool') return ['it has no step for its request']
  const { error } = request.record
  if (error === undefined) return count === 1 ? [] : ['its request is said to be sent, and was not']
  return /may or may not have been carried out/.test(error.message)
    ? []
    : [`its request failed: ${error.message}`]
}

async function faultsOfEvents(query: Query, run: RunRow, steps: readonly Step[]): Promise<string[]> {
  const rows = await query
    .selectFrom('run_events')
    .selectAll()
    .where('run_id', '=', run.id)
    .orderBy('position')
    .execute()
  const events = rows.map(({ position, type, data }) => ({
    id: String(position),
    data: { ...decodeJson(data), type } as StreamedEvent['data'],
  }))
  const faults = faultsOfTold(events, { run, steps: steps.length })
  for (const [index, { position }] of rows.entries()) {
    const before = rows[index - 1]?.position ?? 0
    const isNext = position === before + 1
    const beginsTake = position % 100_000 === 2 && position > before
    if (!isNext && !beginsTake) faults.push(`there is a gap between its events ${before} and ${position}`)
  }
  return faults
}

function faultsOfTold(
  events: readonly StreamedEvent[],
  { run, steps }: { run: RunRow; steps: number },
): string[] {
  const told = putTogether(events)
  const faults = [...told.faults]
  if (told.end !== `run.${run.status}`)
    faults.push(`its events end with ${told.end}, and it is ${run.status}`)
  if (run.status !== 'succeeded') return faults
  const finished = told.steps.filter(step => step.isFinished).length
  if (finished !== steps) faults.push(`${finished} of its ${steps} steps are told to be finished`)
  const text = told.steps.at(-1)?.text
  if (text !== run.output) faults.push(`its events come to "${text}" instead of "${run.output}"`)
  return faults
}

/** A client was told how the run stands: that is how it stands, and its stream says the same. */
function faultsOfAsk(ask: Ask, run: RunRow | undefined): string[] {
  if (run === undefined) return [`The run ${ask.id} was acknowledged and is gone`]
  const { status, output, steps } = ask.answer
  const faults: string[] = []
  if (status !== run.status || output !== run.output) faults.push(`it was answered as ${status}: ${output}`)
  if (ask.way === 'streamed') faults.push(...faultsOfTold(ask.events, { run, steps: steps.length }))
  return faults.map(fault => `${run.id} (${run.prompt}, ${ask.way}): ${fault}`)
}

async function faultsOfSums(query: Query, rows: readonly RunRow[]): Promise<string[]> {
  const ended = rows.filter(({ finished_at: at }) => at !== null)
  const agentId = rows[0]?.agent_id ?? ''
  const wanted = [ended.length, sum(ended, 'input_tokens'), sum(ended, 'output_tokens')]
  const faults: string[] = []
  for (const kind of ['agent_month', 'agent'] as const) {
    const periods = query.selectFrom('usage_periods').selectAll().where('kind', '=', kind)
    const own = await periods.where('subject_id', '=', agentId).execute()
    const counted = [sum(own, 'runs'), sum(own, 'input_tokens'), sum(own, 'output_tokens')]
    if (String(counted) !== String(wanted)) faults.push(`${kind} counts ${counted}, the runs ${wanted}`)
  }
  const events = await query
    .selectFrom('events')
    .select(['type', 'data'])
    .where('agent_id', '=', agentId)
    .where('type', 'in', ['run.succeeded', 'run.failed', 'run.cancelled'])
    .execute()
  const told = events.map(({ type, data }) => `${decodeJson(data).id} ${type}`).sort()
  const ends = ended.map(({ id, status }) => `${id} run.${status}`).sort()
  if (String(told) !== String(ends)) {
    const odd = [...told, ...ends].filter((line, _, all) => all.filter(other => other === line).length !== 2)
    faults.push(`The outbox and the runs do not agree about ${odd.slice(0, 5)}`)
  }
  return faults
}

/** One after the other, and the counts by which the next one is found. */
async function faultsOfTurns(query: Query, rows: readonly RunRow[]): Promise<string[]> {
  const faults: string[] = []
  const conversations = await query
    .selectFrom('conversations')
    .select(['id', 'run_count', 'ended_count'])
    .where('agent_id', '=', rows[0]?.agent_id ?? '')
    .execute()
  const byId = Map.groupBy(rows, ({ conversation_id: id }) => id)
  for (const { id, run_count: count, ended_count: endedCount } of conversations) {
    const runs = (byId.get(id) ?? []).toSorted((one, other) => one.turn - other.turn)
    const ended = runs.filter(({ finished_at: at }) => at !== null).length
    if (runs.length !== count || ended !== endedCount) {
      faults.push(
        `The conversation ${id} counts ${endedCount} of ${count}, and ${ended} of ${runs.length} have ended`,
      )
    }
    for (const [index, run] of runs.entries()) {
      const before = runs[index - 1]
      if (run.turn !== index + 1) faults.push(`${run.id} has the turn ${run.turn} instead of ${index + 1}`)
      if (before === undefined || run.started_at === null) continue
      if (before.finished_at === null || before.finished_at > run.started_at) {
        faults.push(`${run.id} began before ${before.id} had ended`)
      }
    }
  }
  return faults
}

const sum = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((total, row) => total + row[key], 0)
