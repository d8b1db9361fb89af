/** Calls of the API over kept connections, as a client in JavaScript makes them. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'

export type Reply = { status: number; data: unknown; meta: { total: number } | null }

type Content = { json?: unknown; body?: RequestInit['body']; headers?: Record<string, string> }

export type Call = (method: string, path: string, content?: Content) => Promise<Reply>

/** Returns what comes back, whatever it is. */
export const createSend =
  (url: string, key: string) =>
  (method: string, path: string, { json, body, headers = {} }: Content = {}): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, {
      method,
      body: body ?? (json === undefined ? null : JSON.stringify(json)),
      headers: withoutUndefined<Record<string, string>>({
        authorization: `Bearer ${key}`,
        'content-type': json === undefined ? undefined : 'application/json',
        ...headers,
      }),
    })

/** Throws if the reply is an error: a benchmark measures what works. */
export function createCall(url: string, key: string): Call {
  const send = createSend(url, key)
  return async (method, path, content) => {
    const reply = await send(method, path, content)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
    return { status: reply.status, data: undefined, meta: null, ...JSON.parse(text) }
  }
}

export async function createCollection(call: Call, name: string): Promise<string> {
  const { data } = await call('POST', '/knowledge/collections', { json: { name } })
  return (data as { id: string }).id
}

export type UploadedDocument = { id: string; status: string; chunkCount: number; pageCount: number | null }

/** Uploads a file and resolves once it can be found. */
export async function uploadUntilReady(
  call: Call,
  collectionId: string,
  file: { name: string; content: string | Uint8Array<ArrayBuffer>; fields?: Record<string, string> },
): Promise<UploadedDocument> {
  const wait = { prefer: 'wait=60' }
  const form = new FormData()
  form.set('collectionId', collectionId)
  for (const [field, value] of Object.entries(file.fields ?? {})) form.set(field, value)
  form.set('file', new File([file.content], file.name))
  let { data } = await call('POST', '/knowledge/documents', { body: form, headers: wait })
  for (;;) {
    const document = data as UploadedDocument
    if (document.status === 'ready') return document
    if (document.status === 'failed') throw new Error(`${file.name} failed: ${JSON.stringify(data)}`)
    data = (await call('GET', `/knowledge/documents/${document.id}`, { headers: wait })).data
  }
}
