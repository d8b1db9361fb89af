/** Replies that break HTTP. They differ from peers that are down: asking again will not help. */
import { ServiceError } from '../errors.ts'

export class FaultyReply extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('integration_unreachable', message, { cause })
  }
}

/** What `fetch` threw, where the peer is to blame that did answer; null for anything else. */
export function faultIn(error: unknown, host: string, hasBegun: boolean): FaultyReply | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  if (error.name === 'HTTPParserError') return new FaultyReply(`${host} does not answer in valid HTTP`, error)
  // A connection that is closed in good order, and not broken off.
  if (hasBegun && code === 'UND_ERR_SOCKET') {
    return new FaultyReply(`${host} ended its reply before it was as long as it said`, error)
  }
  return faultIn(error.cause, host, hasBegun)
}
