/** Calls of the kill loop, which has its server die in the middle of them. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type OpenStream, openStream } from '../event-streams.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
export type Json = any
/** Null if the server is gone, or says that it is not available to a client that hides it. */
export type Reply = { status: number; body: Json; headers: Headers; bytes: Buffer } | null
type Send = (
  method: string,
  path: string,
  content?: { json?: unknown; form?: FormData; bytes?: Buffer; headers?: Record<string, string> },
) => Promise<Reply>
export type Call = Send & {
  /** Null as for any other call. */
  stream(path: string, options: { body?: unknown; lastEventId?: string }): Promise<OpenStream | null>
}

/** `hides503` reads "unavailable" like a server that is gone: what became of the request is as unknown. */
export function createClient(origin: string, key: string, { hides503 = true } = {}): Call {
  const send: Send = async (method, path, { json, form, bytes: sent, headers = {} } = {}) => {
    const request = {
      method,
      headers: withoutUndefined<Record<string, string>>({
        authorization: `Bearer ${key}`,
        'content-type': json !== undefined ? 'application/json' : undefined,
        ...headers,
      }),
      body: form ?? (json !== undefined ? JSON.stringify(json) : sent ? new Uint8Array(sent) : null),
    }
    const reply = await receive(`${origin}/api/v1${path}`, request)
    if (reply === null || (hides503 && reply.status === 503)) return null
    const mediaType = reply.headers.get('content-type') ?? ''
    // The reply to a HEAD says what would come, and nothing comes.
    const isJson = reply.bytes.length > 0 && mediaType.startsWith('application/json')
    return { ...reply, body: isJson ? JSON.parse(reply.bytes.toString()) : null }
  }
  const stream: Call['stream'] = async (path, options) => {
    const opened = await openStream(`${origin}/api/v1${path}`, { key }, options).catch(() => null)
    if (opened === null || !hides503 || opened.response.status !== 503) return opened
    opened.abort()
    return null
  }
  return Object.assign(send, { stream })
}

async function receive(url: string, request: RequestInit): Promise<Omit<NonNullable<Reply>, 'body'> | null> {
  try {
    const reply = await fetch(url, request)
    return {
      status: reply.status,
      headers: reply.headers,
      bytes: Buffer.from(await reply.arrayBuffer()),
    }
  } catch {
    // The server is killed in the middle: to fail is what most of these are here for.
    return null
  }
}

export function formOf(
  { bytes, name }: { bytes: Buffer; name: string },
  fields: Record<string, string>,
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

export async function search(call: Call, word: string): Promise<string[] | null> {
  const reply = await call('GET', `/knowledge/search?query=${word}&mode=text`)
  if (reply === null) return null
  if (reply.status !== 200)
    throw new Error(`A search answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body.data.map((hit: { documentId: string }) => hit.documentId)
}
