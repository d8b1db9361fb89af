/** What a page may ask of a run, and how much its token's runs may use: all that it sends is a stranger's. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { browserPageOf, browserTokenIdOf, type Caller } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { RunInput } from '../inputs/messages.ts'
import { browserTokenOf } from '../records/run-callers.ts'
import { RunFailure } from '../records/run-errors.ts'
import type { RunRow } from '../records/run-store.ts'
import { fromRow, type Step, usageOf } from '../records/steps.ts'
import {
  addUsage,
  type BrowserTokenRow,
  claimRun,
  findTokenOfRun,
  runsUnderWay,
  stepsUnderWay,
} from './browser-token-store.ts'

/** At once: one visitor leaves the workspace's runs to others, and what is used in parallel stays within sight. */
const mostAtOnce = 3

const ofThePage: readonly (keyof RunInput)[] = ['prompt', 'conversationId', 'whenBusy', 'endUserId']

/** The page's words with what its token gives. Throws one 400 that names each field that a page cannot set. */
export function inputOf(caller: Caller, input: RunInput): RunInput {
  const page = browserPageOf(caller)
  const { endUser } = caller.scope
  if (page === null || endUser === undefined) return input
  const { prompt, conversationId, whenBusy, endUserId = endUser.id } = input
  const refused = Object.entries(input).flatMap(([field, value]) =>
    value === undefined || ofThePage.includes(field as keyof RunInput) ? [] : [field],
  )
  const errors = refused.map(field => ({
    field,
    message: 'cannot be set with a browser token: set it in the agent, or where the token is made',
  }))
  if (endUserId !== endUser.id) {
    errors.push({ field: 'endUserId', message: 'must be left out: it is that of the browser token' })
  }
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return withoutUndefined<RunInput>({ ...page.runFields, conversationId, whenBusy, prompt, endUserId })
}

/** Counts a run that a page begins, in the transaction that writes it. Throws `token_limit` and `run_limit`. */
export async function claimPageRun(tx: Tx, caller: Caller, now: number): Promise<void> {
  const id = browserTokenIdOf(caller)
  if (id === null) return
  const underWay = await runsUnderWay({ workspace_id: caller.scope.workspaceId, id }, tx)
  if (underWay.filter(({ status }) => status !== 'waiting').length >= mostAtOnce) {
    throw new ServiceError('run_limit', `A browser token has at most ${mostAtOnce} runs at once`, {
      headers: { 'retry-after': '2' },
      details: { limit: mostAtOnce },
    })
  }
  if (await claimRun(tx, id, now)) return
  const token = await findTokenOfRun(tx, id)
  const reached = token === undefined ? null : reachedOf(token, { tokens: 0, costUsd: 0 }, 1)
  // It has ended or was revoked since the request was let in.
  if (reached === null) throw new ServiceError('unauthenticated')
  const { limit, max } = reached
  throw new ServiceError('token_limit', `The browser token's ${limit} of ${max} is used up`, {
    details: { limit, max },
  })
}

/** Counts what the run has used, in the transaction of its end. */
export async function countPageRun(
  tx: Tx,
  run: Pick<RunRow, 'caller' | 'input_tokens' | 'output_tokens' | 'cost_usd'>,
): Promise<void> {
  const id = browserTokenOf(run)
  if (id === null) return
  await addUsage(tx, id, { tokens: run.input_tokens + run.output_tokens, costUsd: run.cost_usd ?? 0 })
}

/**
 * To be called before each call of a model: throws `RunFailure` once the token's runs have used what they may, those in
 * progress included. Only what the calls in progress use is not known yet.
 */
export function watchPageRun(
  { read }: { read: Query },
  run: Pick<RunRow, 'id' | 'caller'>,
  steps: readonly Step[],
): () => Promise<void> {
  const id = browserTokenOf(run)
  return async () => {
    const token = id === null ? undefined : await findTokenOfRun(read, id)
    if (token === undefined || (token.max_tokens === null && token.max_cost_usd === null)) return
    const roots = (await runsUnderWay(token, read)).map(one => one.id)
    const others = roots.length === 0 ? [] : (await stepsUnderWay(read, roots, run.id)).map(fromRow)
    const { inputTokens, outputTokens, costUsd } = usageOf([...steps, ...others])
    const reached = reachedOf(token, { tokens: inputTokens + outputTokens, costUsd: costUsd ?? 0 }, 0)
    if (reached === null) return
    throw new RunFailure(
      'budget_exceeded',
      `The browser token's runs have used its ${reached.limit} of ${reached.max}`,
    )
  }
}

type Reached = { limit: 'maxRuns' | 'maxTokens' | 'maxCostUsd'; max: number }

/** `more` is used by runs in progress, and `runs` are to begin. */
function reachedOf(
  token: BrowserTokenRow,
  more: { tokens: number; costUsd: number },
  runs: number,
): Reached | null {
  const { max_runs: maxRuns, max_tokens: maxTokens, max_cost_usd: maxCostUsd } = token
  if (token.run_count + runs > maxRuns) return { limit: 'maxRuns', max: maxRuns }
  if (maxTokens !== null && token.used_tokens + more.tokens >= maxTokens) {
    return { limit: 'maxTokens', max: maxTokens }
  }
  return maxCostUsd !== null && token.used_cost_usd + more.costUsd >= maxCostUsd
    ? { limit: 'maxCostUsd', max: maxCostUsd }
    : null
}
