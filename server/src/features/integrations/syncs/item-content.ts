/** The content of one item on its way in: asked of the connector, checked, and received like any other file. */
import { addAbortSignal, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type Content, HttpFailure } from '@atrium/connectors'
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import { safeName } from '../../../platform/blobs/file-name.ts'
import { minuteMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { SourceFault, textOf } from './sync-failure.ts'
import { withinTime } from './within-time.ts'

const fetchTimeoutMs = 5 * minuteMs

/** Null for what is gone meanwhile. Throws `SourceFault` for what the connector should not have done. */
export async function fetchItem(
  fetchContent: () => Promise<Content | null>,
  signal: AbortSignal,
): Promise<Content | null> {
  try {
    const content = await withinTime(fetchContent(), fetchTimeoutMs, signal)
    if (content !== null) checkContent(content)
    return content
  } catch (error) {
    signal.throwIfAborted()
    throw asFault(error, 'The connector could not fetch it')
  }
}

/** Writes it to staging. Throws `payload_too_large`, and `SourceFault` where it breaks off or takes too long. */
export async function receiveContent(
  blobs: BlobStore,
  content: Content,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const late = AbortSignal.timeout(fetchTimeoutMs)
  const body = addAbortSignal(AbortSignal.any([signal, late]), bodyOf(content))
  const { fileName, mediaType: statedMediaType } = content
  try {
    return await blobs.receive(body, { name: nameOf(fileName), statedMediaType, maxBytes })
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) throw new SourceFault('timeout', 'Its content took longer than five minutes')
    throw error
  }
}

/** A connector may be anybody's. */
function checkContent({ body, fileName, mediaType, title, metadata = {} }: Content): void {
  const isBody =
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    typeof (body as ReadableStream | undefined)?.getReader === 'function'
  if (!isBody) throw new TypeError('its body is neither text nor bytes nor a stream')
  if (typeof fileName !== 'string' || typeof mediaType !== 'string') {
    throw new TypeError('it has no file name or no media type')
  }
  if (title !== undefined && typeof title !== 'string') throw new TypeError('its title is no text')
  if (typeof metadata !== 'object') throw new TypeError('its metadata is no object')
}

function bodyOf({ body }: Content): Readable {
  if (typeof body === 'string') return Readable.from([Buffer.from(body)])
  if (body instanceof Uint8Array) return Readable.from([body])
  // The same stream, as the two packages of types write it down.
  return Readable.from(readBody(body as ReadableStream<Uint8Array>))
}

/** What the service breaks off is no fault of the disk that it is written to. */
async function* readBody(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) yield piece
  } catch (error) {
    throw asFault(error, 'Its content broke off')
  }
}

function asFault(error: unknown, what: string): Error {
  if (error instanceof HttpFailure || error instanceof ServiceError || error instanceof SourceFault) {
    return error
  }
  const why = error instanceof Error ? textOf(error) : String(error)
  return new SourceFault('connector_fault', `${what}: ${why}`, error)
}

/** What parts folders elsewhere is a part of names in many services. */
const nameOf = (name: string): string => safeName(name.replaceAll(/[\\/]/g, ' '))
