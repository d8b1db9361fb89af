/** One attempt: sends the request with `safeFetch`, and reads only as much of the reply as the log needs. */
import { type Clock, secondMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'

export type Outcome = {
  startedAt: number
  durationMs: number
  reply: { statusCode: number; headers: Record<string, string>; body: string } | null
  /** Null if it was delivered. */
  error: string | null
}

export type Send = (request: {
  /** The id of the workspace that the request is sent for. */
  owner: string
  url: string
  headersAt: (sentAt: number) => Record<string, string>
  body: string
  signal: AbortSignal
}) => Promise<Outcome>

const maxReadBytes = 16 * 1_024
const maxKeptCharacters = 4_000
/** The longest wait for the body. A slow body is cut off, because only the status decides. */
const bodyMs = 3 * secondMs
const maxHeaders = 40
const maxHeaderCharacters = 300

/** Throws if `signal` was aborted; then it is unknown whether the request arrived. */
export const createSend =
  ({ safeFetch, clock, timeoutMs }: { safeFetch: SafeFetch; clock: Clock; timeoutMs: number }): Send =>
  async ({ owner, url, headersAt, body, signal }) => {
    const startedAt = clock()
    const beganMs = performance.now()
    const ended = (reply: Outcome['reply'], error: string | null): Outcome => ({
      startedAt,
      durationMs: Math.round(performance.now() - beganMs),
      reply,
      error,
    })
    try {
      const headers = headersAt(startedAt)
      const response = await safeFetch(url, {
        owner,
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal,
        timeoutMs,
        maxResponseBytes: Number.MAX_SAFE_INTEGER,
      })
      const reply = {
        statusCode: response.status,
        headers: headersOf(response),
        body: await beginningOf(response),
      }
      return ended(reply, faultOf(response.status))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ServiceError)) throw error
      return ended(null, error.message)
    }
  }

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed`
  return `It answered ${status}`
}

function headersOf({ headers }: Response): Record<string, string> {
  const kept = [...headers].filter(([name]) => name !== 'set-cookie').slice(0, maxHeaders)
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, maxHeaderCharacters)]))
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const chunks: Uint8Array[] = []
  const stop = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(stop, bodyMs)
  try {
    for (let bytes = 0; bytes < maxReadBytes; ) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      bytes += value.byteLength
    }
  } catch {
    // The status has arrived, so a failure of the body does not matter.
  } finally {
    clearTimeout(timer)
    stop()
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxReadBytes))
  // PostgreSQL cannot store NUL in a text.
  return text.replaceAll('\0', '').slice(0, maxKeptCharacters)
}
