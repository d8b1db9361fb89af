/** What a site's robots.txt allows to this program (RFC 9309). */
import robotsParser from 'robots-parser'
import { agentName } from './agent-name.ts'
import type { RobotsReading, RobotsTask } from './tasks.ts'

type Rules = ReturnType<typeof robotsParser.default>

// The package's types speak of a default export; what it exports is the function itself.
const parseRobots = robotsParser as unknown as (url: string, text: string) => Rules

let last: { url: string; text: string; rules: Rules } | null = null

export function readRobots({ url, text, addresses }: RobotsTask): RobotsReading {
  // The same rules are asked again and again during one visit.
  if (last?.url !== url || last.text !== text) last = { url, text, rules: parseRobots(url, text) }
  const { rules } = last
  return {
    // Undefined is the answer for another host, of which these rules say nothing.
    isAllowed: addresses.map(address => rules.isAllowed(address, agentName) === true),
    delaySeconds: rules.getCrawlDelay(agentName) ?? null,
    sitemaps: rules.getSitemaps(),
  }
}
