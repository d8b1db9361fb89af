/** After a restart: everything that was acknowledged is there, nothing is half-done, nothing is doubled. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Query } from '../../platform/database/database.ts'
import { type Book, type Entry, type State, settle } from './book.ts'
import { type Call, search } from './call.ts'
import type { Errand } from './errand.ts'
import { inspect, openWork, rowsOf } from './inspect.ts'

/** The reaper looks each minute for documents that have had no job for a minute. */
const settleMs = 180_000
const formerWordsAsked = 3

export type Verdict = { kind: 'interrupted' } | { kind: 'checked'; faults: string[] }

/** `interrupted` where the server was killed meanwhile; then nothing is known. */
export async function check(
  call: Call,
  query: Query,
  { book, errands }: { book: Book; errands: readonly Errand[] },
): Promise<Verdict> {
  const giveUpAtMs = performance.now() + settleMs
  for (let open = await openWork(query); open.length > 0; open = await openWork(query)) {
    if ((await call('GET', '/workspace')) === null) return { kind: 'interrupted' }
    if (performance.now() > giveUpAtMs)
      return { kind: 'checked', faults: [`Never settled: ${open.slice(0, 5).join('; ')}`] }
    await sleep(100)
  }
  const faults = await inspect(query)
  for (const entry of book.entries) {
    const found = await checkEntry(call, query, book, entry)
    if (found === null) return { kind: 'interrupted' }
    faults.push(...found)
  }
  for (const errand of errands) {
    const found = await errand.check(call, query)
    if (found === null) return { kind: 'interrupted' }
    faults.push(...found)
  }
  return { kind: 'checked', faults }
}

/** Null if the server is gone. */
async function checkEntry(call: Call, query: Query, book: Book, entry: Entry): Promise<string[] | null> {
  const now = Date.now()
  const rows = await rowsOf(query, book.collectionId, entry.externalId)
  const live = rows.find(row => row.deleted_at === null)
  const trashed = rows.find(
    row => row.id === entry.id && row.deleted_at !== null && (row.erase_at ?? 0) > now,
  )
  const allowed = entry.perhaps === null ? [entry.state] : [entry.state, entry.perhaps]
  const isTrue = (state: State): boolean => {
    if (state.kind === 'present') return live?.sha256 === hashOf(state.content.bytes)
    if (state.kind === 'trashed') return live === undefined && trashed?.sha256 === hashOf(state.content.bytes)
    return live === undefined && trashed === undefined
  }
  const state = allowed.find(isTrue)
  if (state === undefined) {
    const wanted = allowed.map(({ kind }) => kind).join(' or ')
    return [`${entry.externalId} should be ${wanted}: ${JSON.stringify(rows)}`]
  }
  const isNew = entry.perhaps !== null
  settle(entry, state)
  if (live !== undefined) entry.id = live.id
  const faults: string[] = []
  for (const word of entry.formerWords.slice(-formerWordsAsked)) {
    const hits = await search(call, word)
    if (hits === null) return null
    if (hits.length > 0) faults.push(`${word} of ${entry.externalId} is gone, and found in ${hits}`)
  }
  if (state.kind === 'absent') return faults
  const { word, bytes } = state.content
  const hits = await search(call, word)
  if (hits === null) return null
  const wanted = state.kind === 'present' ? [live?.id] : []
  if (String(hits) !== String(wanted))
    faults.push(`${word} of ${entry.externalId} (${state.kind}) is found in [${hits}]`)
  if (state.kind !== 'present') return faults
  if (live?.status !== 'ready') faults.push(`${entry.externalId} is ${live?.status}: ${live?.error_code}`)
  if (!isNew) return faults
  const original = await call('GET', `/knowledge/documents/${live?.id}/original`)
  if (original === null) return null
  if (!bytes.equals(original.bytes)) faults.push(`${entry.externalId} has another file than was sent`)
  return faults
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
