/** Sync sessions under the kill loop: each ends with the counts that its manifest asks for, wherever it was cut short. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Content, makeContent } from './book.ts'
import { type Call, formOf, type Json, search } from './call.ts'
import type { Errand } from './errand.ts'

type Counts = { added: number; changed: number; unchanged: number; deleted: number; failed: number }
type Session = { id: string | null; source: Map<string, Content>; counts: Counts }

const sourceSize = 8
const goingAtOnce = 3
const pollMs = 50

export function createSyncErrand(collectionId: string, random: () => number): Errand {
  /** What the last session that ended has left. */
  let settled = new Map<string, Content>()
  let gone: Content[] = []
  let session: Session | null = null
  const faults: string[] = []

  /** A session whose opening was not answered may be open all the same. */
  const open = async (call: Call, { source }: Session): Promise<string | null> => {
    const path = `/knowledge/collections/${collectionId}/syncs`
    const list = await call('GET', path)
    if (list === null) return null
    const underWay = list.body.data.find(({ status }: Json) => status === 'open')
    if (underWay !== undefined) return underWay.id
    const entries = [...source].map(([externalId, { bytes }]) => ({ externalId, sha256: hashOf(bytes) }))
    const reply = await call('POST', path, { json: { entries, maxDeleteShare: 1 } })
    if (reply === null) return null
    assert.equal(reply.status, 201, JSON.stringify(reply))
    return reply.body.data.sync.id
  }

  const sendMissing = async (call: Call, id: string, { source }: Session): Promise<boolean> => {
    const missing = await call('GET', `/knowledge/syncs/${id}/missing?pageSize=100`)
    if (missing === null) return false
    for (const { externalId } of missing.body.data) {
      const content = source.get(externalId)
      assert.ok(content !== undefined, `${externalId} is missing, and was never in the source`)
      const path = `/knowledge/collections/${collectionId}/documents/${externalId}`
      const reply = await call('PUT', path, { form: formOf(content, {}) })
      if (reply === null) return false
      assert.ok(reply.status === 200 || reply.status === 201, JSON.stringify(reply))
    }
    return true
  }

  /** Null if the server is gone. */
  const complete = async (call: Call, id: string): Promise<Json | null> => {
    for (;;) {
      const reply = await call('GET', `/knowledge/syncs/${id}`)
      if (reply === null) return null
      const sync = reply.body.data
      if (sync.status === 'completed') return sync
      if (sync.status === 'completing') await sleep(pollMs)
      else if ((await call('POST', `/knowledge/syncs/${id}/complete`, { json: {} })) === null) return null
    }
  }

  return {
    changes: 1,
    async run(call) {
      session ??= plan(settled, random)
      session.id ??= await open(call, session)
      const { id, source, counts } = session
      if (id === null) return false
      const now = await call('GET', `/knowledge/syncs/${id}`)
      if (now === null) return false
      if (now.body.data.status === 'open' && !(await sendMissing(call, id, session))) return false
      const sync = await complete(call, id)
      if (sync === null) return false
      const { added, changed, unchanged, deleted, failed } = sync
      const told = JSON.stringify({ added, changed, unchanged, deleted, failed })
      const wanted = JSON.stringify(counts)
      if (told !== wanted) faults.push(`The sync ${id} ended with ${told} instead of ${wanted}`)
      gone = [...settled].filter(([externalId]) => !source.has(externalId)).map(([, content]) => content)
      settled = source
      session = null
      return true
    },

    async check(call, query) {
      const left = await query
        .selectFrom('sync_deletions')
        .innerJoin('syncs', 'syncs.id', 'sync_deletions.sync_id')
        .select('document_id')
        .where('syncs.status', '=', 'completed')
        .execute()
      const found = [
        ...faults,
        ...left.map(row => `${row.document_id} is still to be deleted by an ended sync`),
      ]
      for (const { word } of gone) {
        const hits = await search(call, word)
        if (hits === null) return null
        if (hits.length > 0) found.push(`${word} went by a sync, and is found in [${hits}]`)
      }
      if (session !== null) return found
      const rows = await query
        .selectFrom('documents')
        .select(['external_id', 'sha256', 'status'])
        .where('collection_id', '=', collectionId)
        .where('deleted_at', 'is', null)
        .execute()
      const there = rows.map(row => `${row.external_id} ${row.sha256} ${row.status}`).sort()
      const wanted = [...settled].map(([id, { bytes }]) => `${id} ${hashOf(bytes)} ready`).sort()
      if (String(there) !== String(wanted)) found.push(`A sync left [${there}] instead of [${wanted}]`)
      return found
    },
  }
}

let made = 0

/** Some go, one changes, and as many come as there is room for. */
function plan(settled: ReadonlyMap<string, Content>, random: () => number): Session {
  const source = new Map(settled)
  const going = [...source.keys()].slice(0, goingAtOnce)
  for (const externalId of going) source.delete(externalId)
  const [changing] = source.keys()
  const unchanged = Math.max(0, source.size - 1)
  if (changing !== undefined) source.set(changing, makeContent(random))
  const added = sourceSize - source.size
  while (source.size < sourceSize) {
    made += 1
    source.set(`page-${made}`, makeContent(random))
  }
  const changed = changing === undefined ? 0 : 1
  return { id: null, source, counts: { added, changed, unchanged, deleted: going.length, failed: 0 } }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
