/** What the kill loop does to its documents: one change after the other, noting what was acknowledged and what may have been done. */
import assert from 'node:assert/strict'
import { type Book, type Entry, makeContent, type State, settle } from './book.ts'
import { type Call, formOf, type Reply } from './call.ts'
import type { Errand } from './errand.ts'

/** Keeps so many requests in progress, and each errand beside them, until the server is gone or `isOver`; returns how many were acknowledged. */
export async function drive(
  call: Call,
  book: Book,
  {
    random,
    lanes,
    errands,
    isOver,
  }: {
    random: () => number
    lanes: number
    errands: readonly Errand[]
    isOver: (acknowledged: number) => boolean
  },
): Promise<number> {
  let acknowledged = 0
  const lane = async (): Promise<void> => {
    while (!isOver(acknowledged)) {
      // What became of a request that was cut off is found out later.
      const free = book.entries.filter(entry => !entry.isBusy && entry.perhaps === null)
      const entry = free[Math.floor(random() * free.length)]
      if (entry === undefined) return
      entry.isBusy = true
      const isAnswered = await change(call, book, entry, random)
      entry.isBusy = false
      if (!isAnswered) return
      acknowledged += 1
    }
  }
  const runErrand = async (errand: Errand): Promise<void> => {
    while (!isOver(acknowledged) && (await errand.run(call))) acknowledged += errand.changes
  }
  await Promise.all([...Array.from({ length: lanes }, lane), ...errands.map(runErrand)])
  return acknowledged
}

/** One change, of a kind that its state allows. Returns false once the server is gone. */
async function change(call: Call, book: Book, entry: Entry, random: () => number): Promise<boolean> {
  const { state } = entry
  const choice = random()
  if (state.kind === 'trashed') {
    const path = `/knowledge/documents/${entry.id}`
    if (choice < 0.7)
      return ask(entry, { kind: 'present', content: state.content }, 200, () =>
        call('POST', `${path}/restore`),
      )
    return ask(entry, { kind: 'absent' }, 204, () => call('DELETE', `${path}?erase=true`))
  }
  if (state.kind === 'absent' && choice < 0.5) {
    const content = makeContent(random)
    return ask(entry, { kind: 'present', content }, 201, () =>
      call('POST', '/knowledge/documents', {
        form: formOf(content, { collectionId: book.collectionId, externalId: entry.externalId }),
      }),
    )
  }
  if (state.kind === 'absent' || choice < 0.5) {
    const content = makeContent(random)
    const { collectionId } = book
    const isFetched = random() < 0.15
    const { externalId } = entry
    const path = `/knowledge/collections/${collectionId}/documents/${externalId}`
    const status = state.kind === 'absent' ? 201 : 200
    return ask(entry, { kind: 'present', content }, status, () =>
      isFetched
        ? call('POST', '/knowledge/documents/from-url', {
            json: { url: book.serve(content), collectionId, externalId },
          })
        : call('PUT', path, { form: formOf(content, {}) }),
    )
  }
  if (choice < 0.6) {
    const title = `Title ${Math.floor(random() * 1e6)}`
    return ask(entry, state, 200, () =>
      call('PATCH', `/knowledge/documents/${entry.id}`, { json: { title } }),
    )
  }
  if (choice < 0.85) {
    const trashed: State = { kind: 'trashed', content: state.content }
    return ask(entry, trashed, 204, () => call('DELETE', `/knowledge/documents/${entry.id}`))
  }
  return ask(entry, { kind: 'absent' }, 204, () =>
    call('DELETE', `/knowledge/documents/${entry.id}?erase=true`),
  )
}

async function ask(
  entry: Entry,
  wanted: State,
  status: number,
  send: () => Promise<Reply>,
): Promise<boolean> {
  entry.perhaps = wanted
  const reply = await send()
  if (reply === null) return false
  assert.equal(reply.status, status, `${entry.externalId}: ${JSON.stringify(reply)}`)
  if (reply.body?.data?.id !== undefined) entry.id = reply.body.data.id
  settle(entry, wanted)
  return true
}
