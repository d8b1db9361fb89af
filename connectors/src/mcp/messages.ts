/**
 * What the MCP package sees of a server's messages. The package checks each message by schemas, which takes up to a
 * hundred microseconds for a value. So a message is reduced to the few fields that the package uses; tools and answers
 * are read here.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Fields, isFields } from '../fields.ts'
import { bodyOf, gated, isEventStream, type Limits, OutsideFault } from '../gate/gate.ts'
import { createEventReader } from '../gate/read-events.ts'

/**
 * Two hundred tools with rich schemas have some 20,000 values. A tool that is nested without end must not hide the
 * others. Whatever keeps to these limits is parsed within 50 ms.
 */
const limits: Omit<Limits, 'maxBytes'> = { maxValues: 75_000, maxDepth: 50_000 }
const maxTextCharacters = 2_000
const maxVersions = 50
/** Of messages in one reply. A tool reports its progress in such messages. */
const maxMessages = 10_000

type Following = {
  maxBytes: number
  /** Called with each whole result, before the package sees its message. */
  onResult(result: Fields): void
  /** Called when the body has ended; `canResume` if it is a stream whose events have ids. */
  onEnd(canResume: boolean): void
  /** Called with the reason why the body breaks off; returns the error to break off with. */
  failed(error: unknown): unknown
}

/** The same reply with reduced messages. */
export function reducedReply(response: Response, { maxBytes, onResult, onEnd, failed }: Following): Response {
  const { status, statusText, headers } = response
  const reader = gated(response, { ...limits, maxBytes }).body?.getReader()
  if (reader === undefined) return response
  let hasIds = false
  const reducing = isEventStream(headers)
    ? eventsOf(onResult, () => {
        hasIds = true
      })
    : isJson(headers)
      ? jsonOf(onResult)
      : unchanged
  let isRead = false
  const next = async (): Promise<Bytes | null> => {
    while (!isRead) {
      const { done, value } = await reader.read()
      isRead = done
      const bytes = done ? await reducing.end() : await reducing.take(value)
      if (bytes.length > 0) return bytes
    }
    onEnd(hasIds)
    return null
  }
  const kept = new Headers(headers)
  kept.delete('content-length')
  return new Response(bodyOf(reader, next, failed), { status, statusText, headers: kept })
}

const isJson = (headers: Headers): boolean =>
  /^\s*application\/json\b/i.test(headers.get('content-type') ?? '')

type Bytes = Uint8Array<ArrayBuffer>
type Reducing = { take(bytes: Bytes): Promise<Bytes> | Bytes; end(): Promise<Bytes> | Bytes }

const none: Bytes = new Uint8Array()
const encoded = (text: string): Bytes => new TextEncoder().encode(text)

/** The package reads no other kind of body as messages. */
const unchanged: Reducing = { take: bytes => bytes, end: () => none }

function jsonOf(onResult: (result: Fields) => void): Reducing {
  const decoder = new TextDecoder()
  const texts: string[] = []
  return {
    take(bytes) {
      texts.push(decoder.decode(bytes, { stream: true }))
      return none
    },
    end() {
      const text = texts.join('') + decoder.decode()
      if (text === '') return none
      const value: unknown = JSON.parse(text)
      if (!Array.isArray(value)) return encoded(JSON.stringify(reduced(value, onResult)) ?? '')
      if (value.length > maxMessages) throw new OutsideFault('values', maxMessages)
      return encoded(JSON.stringify(value.map(one => reduced(one, onResult)).filter(one => one !== null)))
    },
  }
}

function eventsOf(onResult: (result: Fields) => void, onId: () => void): Reducing {
  const decoder = new TextDecoder()
  const read = createEventReader()
  let messages = 0
  return {
    async take(bytes) {
      let text = ''
      for (const { head, name, data } of read(decoder.decode(bytes, { stream: true }))) {
        if (head.startsWith('id:') || head.includes('\nid:')) onId()
        const isMessage = data !== null && data !== '' && (name === null || name === 'message')
        const message = isMessage ? reduced(messageIn(data), onResult) : null
        if (message === null && head === '') continue
        if (++messages > maxMessages) throw new OutsideFault('values', maxMessages)
        // The package resumes behind an event with empty data, and takes no note of one without data.
        const line = message !== null ? `data: ${JSON.stringify(message)}\n` : data === null ? '' : 'data:\n'
        text += `${head}${line}\n`
      }
      // The package checks what came so far before the next piece is reduced.
      if (text !== '') await nextTurn()
      return encoded(text)
    },
    end: () => none,
  }
}

/** Null for a message that is no JSON; the package would leave it out too. */
function messageIn(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}

/** Null for a message that needs no reading. */
function reduced(message: unknown, onResult: (result: Fields) => void): Fields | null {
  if (!isFields(message)) return null
  const { jsonrpc, id, method, params, result, error } = message
  const head = { jsonrpc: text(jsonrpc), id: typeof id === 'number' ? id : text(id) }
  if (method === 'notifications/progress') return { ...head, method, params: progressOf(params) }
  if (method !== undefined) {
    // Of the other notices only one is listened to. A question is refused, whatever it asks.
    return id === undefined && method !== 'notifications/tools/list_changed'
      ? null
      : { ...head, method: text(method) }
  }
  if (isFields(error)) return { ...head, error: errorOf(error) }
  if (!isFields(result)) return { ...head, result: null }
  onResult(result)
  return { ...head, result: resultOf(result) }
}

const progressOf = (params: unknown): Fields => {
  const { progressToken, progress, total } = fieldsOf(params)
  return {
    progressToken: typeof progressToken === 'number' ? progressToken : text(progressToken),
    progress: number(progress),
    total: number(total),
  }
}

const errorOf = ({ code, message, data }: Fields): Fields => {
  const { supported, requested } = fieldsOf(data)
  const versions = { supported: texts(supported), requested: text(requested) }
  return { code: number(code), message: text(message), data: supported === undefined ? undefined : versions }
}

const serverKey = 'io.modelcontextprotocol/serverInfo'

/** `undefined` leaves a field out, which the package takes as missing. */
function resultOf(result: Fields): Fields {
  const { protocolVersion, supportedVersions, capabilities, serverInfo, _meta, tools, content } = result
  const { resultType, cacheScope, ttlMs, isError, inputRequests, requestState } = result
  const meta = fieldsOf(_meta)
  return {
    protocolVersion: text(protocolVersion),
    supportedVersions: texts(supportedVersions),
    capabilities: isFields(capabilities) ? capabilitiesOf(capabilities) : undefined,
    serverInfo: isFields(serverInfo) ? infoOf(serverInfo) : undefined,
    _meta: isFields(meta[serverKey]) ? { [serverKey]: infoOf(meta[serverKey]) } : undefined,
    resultType: text(resultType),
    cacheScope: text(cacheScope),
    ttlMs: number(ttlMs),
    isError: typeof isError === 'boolean' ? isError : undefined,
    // Such a result only says that the tool asks back.
    requestState: inputRequests === undefined && requestState === undefined ? undefined : '',
    tools: Array.isArray(tools) ? [] : undefined,
    content: Array.isArray(content) ? [] : undefined,
  }
}

const capabilitiesOf = ({ tools }: Fields): Fields => ({
  tools: isFields(tools) ? { listChanged: tools.listChanged === true } : undefined,
})

const infoOf = ({ name, version, title }: Fields): Fields => ({
  name: text(name),
  version: text(version),
  title: text(title),
})

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxTextCharacters) : undefined

const texts = (value: unknown): (string | undefined)[] | undefined =>
  Array.isArray(value) ? value.slice(0, maxVersions).map(text) : undefined

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
