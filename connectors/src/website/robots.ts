/** A site's rules for robots (https://www.rfc-editor.org/rfc/rfc9309). They are asked for first, and kept to. */
import type { Context } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { firstBytes } from './first-bytes.ts'
import { read, Unreadable } from './reading/reader.ts'
import { agentName, type RobotsReading } from './reading/tasks.ts'

export type Robots = {
  /** The rest between two requests, in milliseconds. */
  everyMs: number
  sitemaps: readonly string[]
  /** One value for each address. The addresses have to belong to the site. */
  allow(addresses: readonly string[]): Promise<boolean[]>
}

const leastPauseMs = 200
/** Reading a site that wants more rest than this would take weeks. */
const longestDelaySeconds = 30
/** The size that every robot has to read. The rules after it are ignored. */
const maxRulesBytes = 500 * 1024

export const agentHeaders = { 'user-agent': agentName }

/**
 * Throws the `HttpFailure` `unavailable` or `rate_limited` if the rules cannot be read, since nothing is allowed
 * then. Throws `unexpected_reply` if the site wants more rest than `longestDelaySeconds`.
 */
export async function readRobots(context: Context<unknown>, origin: string): Promise<Robots> {
  const url = `${origin}/robots.txt`
  const text = await rulesAt(context, url)
  const { delaySeconds, sitemaps } = await readRules(url, text, [])
  if (delaySeconds !== null && delaySeconds > longestDelaySeconds) {
    const message = `${url} asks for ${delaySeconds} s between two requests; more than ${longestDelaySeconds} s cannot be kept to`
    throw new HttpFailure('unexpected_reply', message)
  }
  return {
    everyMs: Math.max(leastPauseMs, (delaySeconds ?? 0) * 1_000),
    sitemaps,
    allow: async addresses => {
      if (addresses.length === 0) return []
      return (await readRules(url, text, addresses)).isAllowed
    },
  }
}

async function readRules(url: string, text: string, addresses: readonly string[]): Promise<RobotsReading> {
  try {
    return await read({ kind: 'robots', url, text, addresses: [...addresses] })
  } catch (error) {
    if (error instanceof Unreadable) throw new HttpFailure('unexpected_reply', `${url} ${error.message}`)
    throw error
  }
}

async function rulesAt({ http, signal }: Context<unknown>, url: string): Promise<string> {
  try {
    const headers = { ...agentHeaders, accept: 'text/plain, */*;q=0.5' }
    const response = await http.send(url, { headers, everyMs: leastPauseMs })
    const { bytes } = await firstBytes(response, maxRulesBytes).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new HttpFailure('unavailable', `${url} broke off`, { cause: error })
    })
    return new TextDecoder().decode(bytes)
  } catch (error) {
    // Everything is allowed if the file is missing or closed to robots.
    if (error instanceof HttpFailure && !['unavailable', 'rate_limited'].includes(error.kind)) return ''
    throw error
  }
}
