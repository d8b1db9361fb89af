/** Model usage without a run, such as vectors: it counts for the agent of models, whose budget limits it. */
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { actorOf } from '../../events/outbox-service.ts'
import { countTokens } from '../../usage/service.ts'
import type { AgentService } from '../definitions/agent-service.ts'
import type { Budgets } from './budgets.ts'

export type ModelUse = ReturnType<typeof createModelUse>

/** A model with the price of a million tokens; null if the price is not known. */
type PricedModel = { model: string; price: number | null }

export const createModelUse = ({
  agents,
  budgets,
  database,
  clock,
}: {
  agents: Pick<AgentService, 'spenderOfModels'>
  budgets: Pick<Budgets, 'checkStart'>
  database: Database
  clock: Clock
}) => ({
  /** Counts the tokens that `ask` reports, even if it fails. Throws `budget_exceeded` and `price_unknown` first. */
  async within<Result>(
    caller: Caller,
    { model, price }: PricedModel,
    ask: (count: (tokens: number) => void) => Promise<Result>,
  ): Promise<Result> {
    const spender = await agents.spenderOfModels(caller)
    const { isLimited } = await budgets.checkStart(spender)
    if (isLimited && price === null) throw priceUnknown(model)
    let tokens = 0
    try {
      return await ask(more => {
        tokens += more
      })
    } finally {
      const cost_usd = price === null ? null : (tokens * price) / 1_000_000
      const used = { ...spender, input_tokens: tokens, cost_usd }
      if (tokens > 0) await database.write(tx => countTokens(tx, used, actorOf(caller), clock()))
    }
  },
})

const priceUnknown = (model: string): ServiceError =>
  new ServiceError(
    'price_unknown',
    `The price of ${model} is not known, so the budget cannot be kept to: the operator can name the price (ATRIUM_MODEL_PRICES)`,
    { details: { model } },
  )
