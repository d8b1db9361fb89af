/** The kill loop's client: it asks for one change after the other, and notes what was acknowledged and what may have been done. */
import assert from 'node:assert/strict'
import { type Book, type Entry, makeContent, type State, settle } from './book.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
export type Json = any
/** Null where the server is gone. */
export type Reply = { status: number; body: Json; headers: Headers; bytes: Buffer } | null
export type Call = (
  method: string,
  path: string,
  content?: { json?: unknown; form?: FormData },
) => Promise<Reply>

export function createClient(origin: string, key: string): Call {
  return async (method, path, { json, form } = {}) => {
    try {
      const reply = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        body: form ?? (json === undefined ? null : JSON.stringify(json)),
      })
      const bytes = Buffer.from(await reply.arrayBuffer())
      const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false
      const body = isJson ? JSON.parse(bytes.toString()) : null
      return { status: reply.status, body, headers: reply.headers, bytes }
    } catch {
      // The server is killed in the middle: to fail is what most of these are here for.
      return null
    }
  }
}

/** Keeps so many requests under way until the server is gone or `isOver`. */
export async function drive(
  call: Call,
  book: Book,
  { random, lanes, isOver }: { random: () => number; lanes: number; isOver: () => boolean },
): Promise<number> {
  let acknowledged = 0
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const free = book.entries.filter(entry => !entry.isBusy)
      const entry = free[Math.floor(random() * free.length)]
      if (entry === undefined) return
      entry.isBusy = true
      const isAnswered = await change(call, book, entry, random)
      entry.isBusy = false
      if (!isAnswered) return
      acknowledged += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return acknowledged
}

/** One change, of a kind that its state allows. Answers false once the server is gone. */
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
    const path = `/knowledge/collections/${book.collectionId}/documents/${entry.externalId}`
    const status = state.kind === 'absent' ? 201 : 200
    return ask(entry, { kind: 'present', content }, status, () =>
      call('PUT', path, { form: formOf(content, {}) }),
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

function formOf({ bytes, name }: { bytes: Buffer; name: string }, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}
