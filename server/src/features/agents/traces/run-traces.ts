/** Erases a document's words from the runs that were shown them: passages, citations, and what models repeated. */
import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { Passage } from '../../../platform/tool.ts'
import { descendantsOf, forgetSummaries } from '../conversations/conversation-store.ts'
import { textEventTypes } from '../events/run-event-schemas.ts'
import { type Message, messagesOf } from '../records/message-schemas.ts'
import { countRunBytes } from '../records/run-bytes.ts'
import type { Citation } from '../records/run-schemas.ts'
import { type RunRow, type StepRow, stepsOf } from '../records/run-store.ts'
import { fromRow, type Step, toRow } from '../records/steps.ts'
import {
  conversationsOfTree,
  forgetShown,
  listShownConversations,
  runsOfConversation,
} from '../records/traces-store.ts'

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

const conversationsAtOnce = 20
const runsAtOnce = 20

/**
 * Returns a function that erases a document's words from runs. Ids, versions and offsets stay. It can be called again
 * for the same document. `forgetReplies` deletes the replies that are stored for repeated requests.
 */
export function createRunTraces(dependencies: {
  database: Database
  forgetReplies: (tx: Tx, runIds: readonly string[]) => Promise<void>
}) {
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
    const said = run.end_user_feedback === null ? null : decodeJson(run.end_user_feedback)
    const words = said === null || said.comment === null ? null : redaction.redact(said.comment)
    const messages = messagesWithoutWords(run, redaction)
    await tx
      .updateTable('runs')
      .set({ output, citations: encodeJson<Record<string, unknown>[]>(citations) })
      .set({ structured_output: withoutWords(run.structured_output, redaction) })
      .set(comment === run.feedback_comment ? {} : { feedback_comment: comment })
      .set(
        said === null || words === said.comment
          ? {}
          : { end_user_feedback: encodeJson({ ...said, comment: words }) },
      )
      .set(messages === run.messages ? {} : { messages })
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

  /** Erases from all runs of the conversation: later runs may have repeated what an earlier run was shown. */
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
        const steps = await stepsByRun(tx, runs)
        for (const run of runs) {
          await eraseFromRun(tx, run, steps.get(run.id) ?? [], documentId, redaction)
        }
        return runs.at(-1)?.turn ?? null
      })
    }
  }

  /** Also erases from conversations that the words went to: those of the same tree, branches, and all summaries. */
  const eraseFromConversation = async (
    conversationId: string,
    documentId: string,
    redaction: Redaction,
    write: Write,
  ) => {
    const tree = new Set([conversationId, ...(await conversationsOfTree(database.read, conversationId))])
    const branched = [...tree].map(id => descendantsOf(database.read, id))
    const ids = [...new Set([...tree, ...(await Promise.all(branched)).flat()])]
    for (const id of ids) await eraseFromRunsOf(id, documentId, redaction, write)
    await write(async tx => {
      await forgetSummaries(tx, ids)
      await forgetShown(tx, conversationId, documentId)
    })
  }

  return async (
    scope: Pick<Scope, 'workspaceId' | 'environment'>,
    documentId: string,
    write: Write,
  ): Promise<void> => {
    const next = (behind?: string) =>
      listShownConversations(scope, database.read, documentId, { behind, limit: conversationsAtOnce })
    // A run may have words from a run of another conversation, without passages that tell which words these are.
    const texts = new Set<string>()
    const collect = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await collectShownTexts(database, id, documentId, texts)
    }
    for (let ids = await next(); ids.length > 0; ids = await next(ids.at(-1))) await collect(ids)
    let redaction = createRedaction([...texts])
    // The latest first: if this is cut short, the earlier conversations still tell which words the others have.
    for (let ids = await next(); ids.length > 0; ids = await next()) {
      const before = texts.size
      await collect(ids)
      if (texts.size > before) redaction = createRedaction([...texts])
      for (const id of ids) await eraseFromConversation(id, documentId, redaction, write)
    }
  }
}

const withoutWords = (stored: Json<unknown> | null, redaction: Redaction): Json<unknown> | null =>
  stored === null ? null : encodeJson(redaction.redactValue(decodeJson(stored)))

/** Erases from earlier messages of models and functions. The user's words stay, as in a prompt. */
function messagesWithoutWords(run: RunRow, { redact, redactValue }: Redaction): RunRow['messages'] {
  const messages = messagesOf(run)
  if (messages === null) return null
  const redacted = messages.map((message): Message => {
    if (message.role === 'assistant') {
      const { content, toolCalls } = message
      const redacted = { ...message }
      if (content !== undefined) redacted.content = redact(content)
      if (toolCalls !== undefined) {
        redacted.toolCalls = toolCalls.map(call => ({
          ...call,
          input: redactValue(call.input) as typeof call.input,
        }))
      }
      return redacted
    }
    if (message.role !== 'tool') return message
    const { output, error } = message
    return error === undefined
      ? { ...message, output: redactValue(output) }
      : { ...message, error: redact(error) }
  })
  return encodeJson<Record<string, unknown>[]>(redacted)
}

async function stepsByRun(query: Query, runs: readonly RunRow[]): Promise<Map<string, StepRow[]>> {
  const ids = runs.map(({ id }) => id)
  return Map.groupBy(await stepsOf(query, ids), step => step.run_id)
}

/** Collects the texts of the document that the conversation's runs were shown. */
async function collectShownTexts(
  { read }: Database,
  conversationId: string,
  documentId: string,
  texts: Set<string>,
): Promise<void> {
  for (let after = 0; ; ) {
    const runs = await runsOfConversation(read, conversationId, after, runsAtOnce)
    const steps = await stepsByRun(read, runs)
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
    if (last === undefined) return
    after = last.turn
  }
}

const erasedPassage = ({ cells: _, ...passage }: Passage): Passage => ({
  ...passage,
  title: erased,
  headings: [],
  text: erased,
})

function withoutDocument(step: Step, documentId: string, redaction: Redaction): Step {
  if (step.type === 'tool') {
    const passages = step.record.passages.map(numbered =>
      numbered.passage.documentId === documentId
        ? { ...numbered, passage: erasedPassage(numbered.passage) }
        : numbered,
    )
    const { input, content, error } = step.record
    const record = withoutUndefined<typeof step.record>({
      ...step.record,
      input: redaction.redactValue(input),
      passages,
      content: content === undefined ? undefined : redaction.redactValue(content),
      error: error === undefined ? undefined : { message: redaction.redact(error.message) },
    })
    return { ...step, record }
  }
  const content = step.record.content.map(part =>
    part.type === 'text' || part.type === 'reasoning' ? { ...part, text: redaction.redact(part.text) } : part,
  )
  const { rejected } = step.record
  const redacted = rejected === undefined ? {} : { rejected: redaction.redact(rejected) }
  return { ...step, record: { ...step.record, content, ...redacted } }
}

/** Erases from calls that waited for an approval or a result, or must not be repeated. */
async function eraseFromCalls(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_tool_calls')
    .select(['call_id', 'input', 'result'])
    .where('run_id', '=', runId)
    .execute()
  for (const { call_id: callId, input, result } of rows) {
    const redacted = {
      input: encodeJson(redaction.redactValue(decodeJson(input))),
      result: withoutWords(result, redaction),
    }
    if (redacted.input === input && redacted.result === result) continue
    await tx
      .updateTable('run_tool_calls')
      .set(redacted)
      .where('run_id', '=', runId)
      .where('call_id', '=', callId)
      .execute()
  }
}

/** Erases from the events: from arguments of calls, and from texts. */
async function eraseFromEvents(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_events')
    .select(['position', 'type', 'data'])
    .where('run_id', '=', runId)
    .where('type', 'in', ['step.started', ...textEventTypes])
    .orderBy('position')
    .execute()
  const setData = async (position: number, data: Record<string, unknown>): Promise<void> => {
    await tx
      .updateTable('run_events')
      .set({ data: encodeJson(data) })
      .where('run_id', '=', runId)
      .where('position', '=', position)
      .execute()
  }
  const events = rows.map(({ position, type, data }) => ({ position, type, data: decodeJson(data) }))
  for (const { position, type, data } of events) {
    if (type !== 'step.started' || data.input === undefined) continue
    const input = redaction.redactValue(data.input)
    if (!isDeepStrictEqual(input, data.input)) await setData(position, { ...data, input })
  }
  // A text in several events is redacted as a whole; the first event then holds all of it.
  const texts = events.filter(({ type }) => type !== 'step.started')
  for (const pieces of Map.groupBy(texts, ({ type, data }) => `${type} ${data.stepIndex}`).values()) {
    const whole = pieces.map(({ data }) => String(data.text)).join('')
    const redacted = redaction.redact(whole)
    if (redacted === whole) continue
    for (const [index, { position, data }] of pieces.entries()) {
      await setData(position, { ...data, text: index === 0 ? redacted : '' })
    }
  }
}

// Removes from a text what it repeats word for word from other texts. Line breaks and punctuation may differ.

/** Replaces the words that were removed. */
const erased = '[erased]'

type Redaction = ReturnType<typeof createRedaction>

/** This many repeated words in a row are a quote and no coincidence. A shorter text is a quote only as a whole. */
const wordsInARow = 5

export function createRedaction(texts: readonly string[]) {
  const known = new Map<number, Set<string>>()
  for (const text of texts) {
    const words = wordsOf(text).map(({ word }) => word)
    const size = Math.min(wordsInARow, words.length)
    if (size === 0) continue
    const grams = known.get(size) ?? new Set()
    known.set(size, grams)
    for (let start = 0; start + size <= words.length; start++) grams.add(gramOf(words, start, size))
  }
  const redactText = (text: string): string => (known.size === 0 ? text : redact(text, known))
  return {
    /** Returns the text with each sequence of repeated words replaced by one `[erased]`. */
    redact: redactText,
    /** The same for all texts within a JSON value; property names stay. */
    redactValue: (value: unknown): unknown => mapTexts(value, redactText),
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

function redact(text: string, known: ReadonlyMap<number, ReadonlySet<string>>): string {
  const words = wordsOf(text)
  const plain = words.map(({ word }) => word)
  const isRepeated = new Array<boolean>(words.length).fill(false)
  for (const [size, grams] of known) {
    for (let start = 0; start + size <= words.length; start++) {
      if (grams.has(gramOf(plain, start, size))) isRepeated.fill(true, start, start + size)
    }
  }
  let kept = ''
  let end = 0
  for (let i = 0; i < words.length; i++) {
    const first = words[i]
    if (first === undefined || !isRepeated[i]) continue
    while (isRepeated[i + 1]) i++
    kept += text.slice(end, first.start) + erased
    end = words[i]?.end ?? end
  }
  return kept + text.slice(end)
}

const gramOf = (words: readonly string[], start: number, size: number): string =>
  words.slice(start, start + size).join(' ')

/** In scripts without spaces between words, each character counts as a word. */
function wordsOf(text: string): { word: string; start: number; end: number }[] {
  const pattern =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu
  return Array.from(text.matchAll(pattern), match => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
}
