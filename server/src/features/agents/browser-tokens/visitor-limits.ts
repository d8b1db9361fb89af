/** Whether what may be used is used up, and what the page is told then. */
import type { VisitorAllowance } from '../../../platform/database/schema/agents.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { dayOf, type PublicChatRow, type Used } from './public-chat-store.ts'

type Reached = { limit: keyof VisitorAllowance; max: number }

/** Runs are counted with the one that begins; of tokens and cost, the last call may use more than is left. */
export function reachedOf(
  { maxRuns, maxTokens, maxCostUsd }: VisitorAllowance,
  { runs, tokens, costUsd }: Used,
): Reached | null {
  if (runs > maxRuns) return { limit: 'maxRuns', max: maxRuns }
  if (maxTokens !== null && tokens >= maxTokens) return { limit: 'maxTokens', max: maxTokens }
  return maxCostUsd !== null && costUsd >= maxCostUsd ? { limit: 'maxCostUsd', max: maxCostUsd } : null
}

/** Nothing of another day counts. */
export const usedOnDay = (chat: PublicChatRow, now: number): Used =>
  chat.day === dayOf(now)
    ? { runs: chat.run_count, tokens: chat.used_tokens, costUsd: chat.used_cost_usd }
    : { runs: 0, tokens: 0, costUsd: 0 }

const whose = {
  token: "The browser token's",
  visitor: "The visitor's hourly",
  address: "The address's hourly",
  day: "The public chat's daily",
} as const

export const tokenLimit = (per: keyof typeof whose, { limit, max }: Reached): ServiceError =>
  new ServiceError('token_limit', `${whose[per]} ${limit} of ${max} is used up`, {
    details: { per, limit, max },
  })
