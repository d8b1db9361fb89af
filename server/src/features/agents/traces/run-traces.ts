/** Erases the words of a document from the runs that were shown them: passages, citations, and what models repeated. */
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import { descendantsOf, forgetSummaries } from '../conversations/conversation-store.ts'
import { textEventTypes } from '../events/run-event-schemas.ts'
import type { Citation } from '../records/run-schemas.ts'
import { countRunBytes, type RunRow, type StepRow } from '../records/run-store.ts'
import { fromRow, type Step, toRow } from '../records/steps.ts'
import {
  conversationsOfTree,
  forgetShown,
  listShownConversations,
  runsOfConversation,
  stepsOfRuns,
} from '../records/traces-store.ts'
import { createRedaction, erased, type Redaction } from './redaction.ts'

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Keeps documents' and offsets' numbers; can be called again for the same document. */
export type RunTraces = (
  scope: Pick<Scope, 'workspaceId' | 'environment'>,
  documentId: string,
  write: Write,
) => Promise<void>

const conversationsAtOnce = 20
const runsAtOnce = 20

/** `forgetReplies` drops what is kept for the repetition of a run's request. */
export function createRunTraces(dependencies: {
  database: Database
  forgetReplies: (tx: Tx, runIds: readonly string[]) => Promise<void>
}): RunTraces {
  const { database, forgetReplies } = dependencies

  const eraseFromRun = async (
    tx: Tx,
    run: RunRow,
    steps: readonly StepRow[],
    documentId: string,
    redaction: Redaction,
  ): Promise<void> => {
    const output = run.output === null ? null : redaction.redact(run.output)
    const citations = decodeJson(run.citations as Json<Citation[]>).map(citation =>
      citation.documentId === documentId ? { ...citation, quote: erased } : citation,
    )
    const comment = run.feedback_comment === null ? null : redaction.redact(run.feedback_comment)
    await tx
      .updateTable('runs')
      .set({ output, citations: encodeJson<Record<string, unknown>[]>(citations) })
      .set({ structured_output: withoutWords(run.structured_output, redaction) })
      .set(comment === run.feedback_comment ? {} : { feedback_comment: comment })
      .set(({ eb }) => ({ change_count: eb('change_count', '+', 1) }))
      .where('id', '=', run.id)
      .execute()
    for (const row of steps) {
      const { record } = toRow(run.id, withoutDocument(fromRow(row), documentId, redaction), row.seq)
      if (record === row.record) continue
      await tx
        .updateTable('run_steps')
        .set({ record })
        .where('run_id', '=', run.id)
        .where('seq', '=', row.seq)
        .execute()
    }
    await eraseFromEvents(tx, run.id, redaction)
    await eraseFromCalls(tx, run.id, redaction)
    await countRunBytes(tx, run.id)
    await forgetReplies(tx, [run.id])
  }

  /** Its later runs too, which may have repeated what an earlier one was shown. */
  const eraseFromRunsOf = async (
    conversationId: string,
    documentId: string,
    redaction: Redaction,
    write: Write,
  ): Promise<void> => {
    let after: number | null = 0
    while (after !== null) {
      const from: number = after
      after = await write(async tx => {
        const runs = await runsOfConversation(tx, conversationId, from, runsAtOnce)
        const steps = await stepsOfRuns(
          tx,
          runs.map(({ id }) => id),
        )
        for (const run of runs) {
          await eraseFromRun(tx, run, steps.get(run.id) ?? [], documentId, redaction)
        }
        return runs.at(-1)?.turn ?? null
      })
    }
  }

  /** Those too that it has been told to, or that have branched from it, and what any of them has summarised. */
  const eraseFromConversation = async (conversationId: string, documentId: string, write: Write) => {
    const redaction = createRedaction(await shownTexts(database, conversationId, documentId))
    const told = new Set([conversationId, ...(await conversationsOfTree(database.read, conversationId))])
    const branched = [...told].map(id => descendantsOf(database.read, id))
    const ids = [...new Set([...told, ...(await Promise.all(branched)).flat()])]
    for (const id of ids) await eraseFromRunsOf(id, documentId, redaction, write)
    await write(async tx => {
      await forgetSummaries(tx, ids)
      await forgetShown(tx, conversationId, documentId)
    })
  }

  return async (scope, documentId, write) => {
    const next = () => listShownConversations(scope, database.read, documentId, conversationsAtOnce)
    for (let ids = await next(); ids.length > 0; ids = await next()) {
      for (const id of ids) await eraseFromConversation(id, documentId, write)
    }
  }
}

const withoutWords = (stored: Json<unknown> | null, redaction: Redaction): Json<unknown> | null =>
  stored === null ? null : encodeJson(redaction.redactValue(decodeJson(stored)))

/** What the conversation's runs were shown of the document, titles included. */
async function shownTexts({ read }: Database, conversationId: string, documentId: string): Promise<string[]> {
  const texts = new Set<string>()
  for (let after = 0; ; ) {
    const runs = await runsOfConversation(read, conversationId, after, runsAtOnce)
    const steps = await stepsOfRuns(
      read,
      runs.map(({ id }) => id),
    )
    for (const step of [...steps.values()].flat().map(fromRow)) {
      if (step.type === 'model') continue
      for (const { passage } of step.record.passages) {
        if (passage.documentId === documentId && passage.text !== erased) texts.add(passage.text)
      }
    }
    for (const { citations } of runs) {
      for (const { documentId: cited, quote } of decodeJson(citations as Json<Citation[]>)) {
        if (cited === documentId && quote !== erased) texts.add(quote)
      }
    }
    const last = runs.at(-1)
    if (last === undefined) return [...texts]
    after = last.turn
  }
}

function withoutDocument(step: Step, documentId: string, redaction: Redaction): Step {
  if (step.type === 'tool') {
    const passages = step.record.passages.map(numbered =>
      numbered.passage.documentId === documentId
        ? { ...numbered, passage: { ...numbered.passage, title: erased, text: erased } }
        : numbered,
    )
    const { input, content } = step.record
    const told = content === undefined ? {} : { content: redaction.redactValue(content) }
    return { ...step, record: { ...step.record, input: redaction.redactValue(input), passages, ...told } }
  }
  const content = step.record.content.map(part =>
    part.type === 'text' || part.type === 'reasoning' ? { ...part, text: redaction.redact(part.text) } : part,
  )
  const { rejected } = step.record
  const told = rejected === undefined ? {} : { rejected: redaction.redact(rejected) }
  return { ...step, record: { ...step.record, content, ...told } }
}

export async function eraseFromCalls(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  await eraseFromKept(tx, runId, redaction)
  await eraseFromStarted(tx, runId, redaction)
}

/** Calls that waited for an approval, or must not be repeated. */
async function eraseFromKept(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_tool_calls')
    .select(['call_id', 'input'])
    .where('run_id', '=', runId)
    .execute()
  for (const { call_id: callId, input } of rows) {
    const redacted = encodeJson(redaction.redactValue(decodeJson(input)))
    if (redacted === input) continue
    await tx
      .updateTable('run_tool_calls')
      .set({ input: redacted })
      .where('run_id', '=', runId)
      .where('call_id', '=', callId)
      .execute()
  }
}

/** What followers were told when a call began. */
async function eraseFromStarted(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_events')
    .select(['position', 'data'])
    .where('run_id', '=', runId)
    .where('type', '=', 'step.started')
    .execute()
  for (const { position, data } of rows) {
    const told = decodeJson(data)
    const redacted = encodeJson({ ...told, input: redaction.redactValue(told.input) })
    if (told.input === undefined || redacted === data) continue
    await tx
      .updateTable('run_events')
      .set({ data: redacted })
      .where('run_id', '=', runId)
      .where('position', '=', position)
      .execute()
  }
}

/** A text that lies in several events is looked at as a whole; once something was erased, the first of them holds it all. */
export async function eraseFromEvents(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_events')
    .select(['position', 'type', 'data'])
    .where('run_id', '=', runId)
    .where('type', 'in', [...textEventTypes])
    .orderBy('position')
    .execute()
  const texts = Map.groupBy(rows, ({ type, data }) => `${type} ${decodeJson(data).stepIndex}`)
  for (const pieces of texts.values()) {
    const whole = pieces.map(({ data }) => String(decodeJson(data).text)).join('')
    const redacted = redaction.redact(whole)
    if (redacted === whole) continue
    for (const [place, { position, data }] of pieces.entries()) {
      const changed = encodeJson({ ...decodeJson(data), text: place === 0 ? redacted : '' })
      await tx
        .updateTable('run_events')
        .set({ data: changed })
        .where('run_id', '=', runId)
        .where('position', '=', position)
        .execute()
    }
  }
}
