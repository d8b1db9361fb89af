/** What a call authenticates itself by: a key, or short-lived tokens that are asked for as they are needed. */

/** A token and when it ends; without `expiresAt` it is asked for again only once it was refused. */
export type Token = { token: string; expiresAt?: string | Date | undefined }

/**
 * Yields a token: before the first call, shortly before the last one ends, and after one was refused. Calls that wait for
 * one at the same time share it. What it throws, the call throws.
 */
export type TokenProvider = () => Promise<string | Token>

export type Credentials = {
  /** What to send now. */
  current(): Promise<string>
  /** Forgets a token that the server refused; false if asking again would bring nothing else. */
  refused(token: string): boolean
}

/** So long before its end a token is replaced: clocks differ, and a request takes its time. */
const marginMs = 30_000

export const fixedCredentials = (apiKey: string): Credentials => ({
  current: async () => apiKey,
  refused: () => false,
})

export function providedCredentials(provide: TokenProvider): Credentials {
  let kept: { token: string; expiresAt: number } | null = null
  let asked: Promise<string> | null = null

  const ask = async (): Promise<string> => {
    try {
      const given = await provide()
      const { token, expiresAt } = typeof given === 'string' ? { token: given, expiresAt: undefined } : given
      kept = { token, expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : timeOf(expiresAt) }
      return token
    } finally {
      asked = null
    }
  }

  return {
    async current() {
      if (kept !== null && kept.expiresAt - marginMs > Date.now()) return kept.token
      asked ??= ask()
      return asked
    },
    refused(token) {
      // Another call may have had it replaced already.
      if (kept?.token === token) kept = null
      return true
    },
  }
}

function timeOf(expiresAt: string | Date): number {
  const time = new Date(expiresAt).getTime()
  if (Number.isNaN(time)) throw new TypeError('expiresAt must be a date or an ISO 8601 time')
  return time
}
