/** A connection under the kill loop: each of its syncs ends with the counts that the service's changes ask for. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Content, makeContent } from './book.ts'
import { type Call, type Json, search } from './call.ts'
import type { Errand } from './errand.ts'
import type { KeptService } from './kept-service.ts'

type Counts = { added: number; changed: number; deleted: number; failed: number }
type Plan = { counts: Counts; full: boolean; earlier: ReadonlySet<string> }

const serviceSize = 8
/** As few as may always go. */
const goingAtOnce = 2
const syncsShown = 20

export async function createConnectionErrand(
  call: Call,
  service: KeptService,
  random: () => number,
): Promise<Errand> {
  const made = await call('POST', '/integrations/connect', {
    json: { integrationId: 'kept', config: { url: service.origin } },
  })
  assert.equal(made?.status, 201, JSON.stringify(made))
  const path = `/integrations/${made.body.data.id}`
  let collectionId: string | null = null
  let gone: Content[] = []
  let plan: Plan | null = null
  const faults: string[] = []

  const listSyncs = async (send: Call): Promise<Json[] | null> => {
    const reply = await send('GET', `${path}/syncs?pageSize=${syncsShown}`)
    return reply === null ? null : reply.body.data
  }

  /** A sync whose beginning was not answered may have begun all the same. */
  const begin = async (send: Call, { earlier, full }: Plan): Promise<string | null> => {
    const before = await listSyncs(send)
    const begun = before?.find(({ id }) => !earlier.has(id))
    if (before === null || begun !== undefined) return begun?.id ?? null
    const reply = await send('POST', `${path}/sync`, { json: { full } })
    if (reply === null) return null
    assert.equal(reply.status, 202, JSON.stringify(reply))
    return reply.body.data.id
  }

  const compare = (sync: Json, { counts }: Plan): void => {
    const { status, added, changed, deleted, failed, error } = sync
    const told = JSON.stringify({ status, added, changed, deleted, failed })
    const wanted = JSON.stringify({ status: 'succeeded', ...counts })
    if (told === wanted) return
    faults.push(`${sync.id} ended with ${told} ${JSON.stringify(error)} instead of ${wanted}`)
  }

  return {
    changes: 1,
    async run(send) {
      if (plan === null) {
        const earlier = await listSyncs(send)
        if (earlier === null) return false
        const next = change(service, random)
        gone = next.gone
        plan = {
          counts: next.counts,
          full: random() < 0.5,
          earlier: new Set(earlier.map(({ id }) => id)),
        }
      }
      const id = await begin(send, plan)
      if (id === null) return false
      for (;;) {
        const reply = await send('GET', `${path}/syncs/${id}`, { headers: { prefer: 'wait=5' } })
        if (reply === null) return false
        const sync = reply.body.data
        if (sync.finishedAt === null) continue
        compare(sync, plan)
        collectionId = sync.collectionId
        plan = null
        return true
      }
    },

    async check(send, query) {
      const open = await query
        .selectFrom('connection_syncs')
        .select('id')
        .where('finished_at', 'is', null)
        .execute()
      const found = [...faults, ...open.map(({ id }) => `${id} has not ended, and no worker has it`)]
      for (const { word } of plan === null ? gone : []) {
        const hits = await search(send, word)
        if (hits === null) return null
        if (hits.length > 0) found.push(`${word} is gone at the service, and is found in [${hits}]`)
      }
      if (plan !== null || collectionId === null) return found
      const rows = await query
        .selectFrom('documents')
        .select(['external_id', 'sha256', 'status'])
        .where('collection_id', '=', collectionId)
        .where('deleted_at', 'is', null)
        .execute()
      const items = await query
        .selectFrom('connection_items')
        .select(['external_id', 'sha256', 'pending', 'gone'])
        .execute()
      const held = [...service.items].map(([id, { bytes }]) => `${id} ${hashOf(bytes)}`).sort()
      const documents = rows.map(row => `${row.external_id} ${row.sha256}${only(row.status, 'ready')}`).sort()
      const known = items
        .map(row => `${row.external_id} ${row.sha256}${only(row.pending, 0)}${only(row.gone, 0)}`)
        .sort()
      if (String(documents) !== String(held)) found.push(`A sync left [${documents}] instead of [${held}]`)
      if (String(known) !== String(held)) found.push(`A sync knows [${known}] instead of [${held}]`)
      return found
    },
  }
}

/** Says what is another value than it should be. */
const only = <T>(value: T, wanted: T): string => (value === wanted ? '' : ` ${value}`)

let contents = 0

/** Some go, one changes, and as many come as there is room for. */
function change(service: KeptService, random: () => number): { gone: Content[]; counts: Counts } {
  const ids = [...service.items.keys()]
  const going = ids.slice(0, ids.length === 0 ? 0 : goingAtOnce)
  const changing = ids[goingAtOnce]
  const gone = [...going, changing].flatMap(id => (id === undefined ? [] : (service.items.get(id) ?? [])))
  const coming = new Map<string, Content>()
  const added = serviceSize - ids.length + going.length
  for (let left = added; left > 0; left--) {
    contents += 1
    coming.set(`kept-${contents}`, makeContent(random))
  }
  if (changing !== undefined) coming.set(changing, makeContent(random))
  service.change(coming, going)
  const changed = changing === undefined ? 0 : 1
  return { gone, counts: { added, changed, deleted: going.length, failed: 0 } }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
