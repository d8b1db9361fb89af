/** What a page may ask of a run, and how much its token's runs may use: all that a page sends is untrusted. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { browserPageOf, browserTokenIdOf, type Caller } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { VisitorAllowance } from '../../../platform/database/schema/agents.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
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
import {
  addToDay,
  findChatOfAgent,
  type Used,
  usedInHour,
  type VisitorRun,
  visitorRunsUnderWay,
} from './public-chat-store.ts'
import { reachedOf, tokenLimit, usedOnDay } from './visitors.ts'

/** Runs at once. One visitor leaves room for other runs, and the usage of parallel runs stays small. */
const mostAtOnce = 3

const ofThePage: readonly (keyof RunInput)[] = ['prompt', 'conversationId', 'whenBusy', 'endUserId']

/** The page's request with its token's fields. Throws one 400 that names each field that a page cannot set. */
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

/**
 * Counts a run that a page begins, in the transaction that writes the run: starts of a workspace take turns. Throws
 * `token_limit` and `run_limit`. `runsAtOnce` is the limit of the workspace.
 */
export async function claimPageRun(
  tx: Tx,
  caller: Caller,
  { now, runsAtOnce }: { now: number; runsAtOnce: number },
): Promise<void> {
  const id = browserTokenIdOf(caller)
  if (id === null) return
  const token = await findTokenOfRun(tx, id)
  if (token === undefined) throw tokenEnded()
  if (isVisitors(token)) {
    const running = (await visitorRunsUnderWay(tx, token.workspace_id)).filter(isRunning)
    checkAtOnce(running.filter(isOfVisitor(token)), mostAtOnce, 'A visitor has')
    // Visitors leave room for the workspace's own members and programs.
    checkAtOnce(running, Math.max(1, Math.floor(runsAtOnce / 2)), 'All visitors together have')
  } else checkAtOnce((await runsUnderWay(token, tx)).filter(isRunning), mostAtOnce, 'A browser token has')
  for (const { per, allowance, used } of await metersOf(tx, token, now)) {
    const reached = reachedOf(allowance, { ...used, runs: used.runs + 1 })
    if (reached !== null) throw tokenLimit(per, reached)
  }
  // The token has ended or was revoked after the request was let in.
  if (!(await claimRun(tx, id, now))) throw tokenEnded()
  if (!isVisitors(token)) return
  const isOn = await addToDay(tx, token.agent_id, now, { runs: 1, tokens: 0, costUsd: 0 })
  if (!isOn) throw tokenEnded()
}

const tokenEnded = (): ServiceError =>
  new ServiceError('unauthenticated', 'The browser token has expired or was revoked: ask for another one', {
    details: { reason: 'expired' },
  })

/** Counts the usage of the run, in the transaction of its end. */
export async function countPageRun(
  tx: Tx,
  run: Pick<RunRow, 'caller' | 'input_tokens' | 'output_tokens' | 'cost_usd'>,
  now: number,
): Promise<void> {
  const id = browserTokenOf(run)
  if (id === null) return
  const used = { tokens: run.input_tokens + run.output_tokens, costUsd: run.cost_usd ?? 0 }
  const token = await addUsage(tx, id, used)
  if (token !== undefined && isVisitors(token)) await addToDay(tx, token.agent_id, now, { runs: 0, ...used })
}

/**
 * Call this before each call of a model. Throws `RunFailure` once the token's runs, including those in progress, have
 * used up a limit. Only the usage of model calls in progress is not known yet.
 */
export function watchPageRun(
  { database: { read }, clock }: Pick<Platform, 'database' | 'clock'>,
  run: Pick<RunRow, 'id' | 'caller'>,
  steps: readonly Step[],
): () => Promise<void> {
  const id = browserTokenOf(run)
  return async () => {
    const token = id === null ? undefined : await findTokenOfRun(read, id)
    if (token === undefined) return
    for (const { per, allowance, used, underWay } of await metersOf(read, token, clock())) {
      if (allowance.maxTokens === null && allowance.maxCostUsd === null) continue
      const roots = await underWay()
      const others = roots.length === 0 ? [] : (await stepsUnderWay(read, roots, run.id)).map(fromRow)
      const { inputTokens, outputTokens, costUsd } = usageOf([...steps, ...others])
      const reached = reachedOf(allowance, {
        runs: 0,
        tokens: used.tokens + inputTokens + outputTokens,
        costUsd: used.costUsd + (costUsd ?? 0),
      })
      if (reached !== null) throw new RunFailure('budget_exceeded', tokenLimit(per, reached).message)
    }
  }
}

/** A limit of runs and the usage towards it, without that of the runs in progress that `underWay` returns. */
type Meter = {
  per: 'token' | 'visitor' | 'address' | 'day'
  allowance: VisitorAllowance
  used: Used
  underWay: () => Promise<string[]>
}

async function metersOf(query: Query, token: BrowserTokenRow, now: number): Promise<Meter[]> {
  if (!isVisitors(token)) return [meterOfToken(query, token)]
  const { agent_id: agentId, end_user_id: endUserId, address_hash: addressHash } = token
  const chat = await findChatOfAgent(query, agentId)
  // The chat is turned off, which ends its tokens within seconds.
  if (chat === undefined) return [meterOfToken(query, token)]
  const underWay = (isCounted: (run: VisitorRun) => boolean) => async () =>
    (await visitorRunsUnderWay(query, token.workspace_id))
      .filter(run => run.agent_id === agentId && isCounted(run))
      .map(({ id }) => id)
  return [
    {
      per: 'visitor',
      allowance: decodeJson(chat.visitor_per_hour),
      used: await usedInHour(query, agentId, { endUserId }, now),
      underWay: underWay(isOfVisitor(token)),
    },
    {
      per: 'address',
      allowance: decodeJson(chat.address_per_hour),
      used: await usedInHour(query, agentId, { addressHash }, now),
      underWay: underWay(run => run.address_hash === addressHash),
    },
    {
      per: 'day',
      allowance: decodeJson(chat.per_day),
      used: usedOnDay(chat, now),
      underWay: underWay(() => true),
    },
  ]
}

const meterOfToken = (query: Query, token: BrowserTokenRow): Meter => ({
  per: 'token',
  allowance: { maxRuns: token.max_runs, maxTokens: token.max_tokens, maxCostUsd: token.max_cost_usd },
  used: { runs: token.run_count, tokens: token.used_tokens, costUsd: token.used_cost_usd },
  underWay: async () => (await runsUnderWay(token, query)).map(({ id }) => id),
})

const isVisitors = (token: BrowserTokenRow): token is BrowserTokenRow & { address_hash: string } =>
  token.address_hash !== null

const isOfVisitor = (token: BrowserTokenRow) => (run: VisitorRun) =>
  run.agent_id === token.agent_id && run.end_user_id === token.end_user_id

const isRunning = ({ status }: { status: string }): boolean => status !== 'waiting'

function checkAtOnce(running: readonly unknown[], limit: number, whose: string): void {
  if (running.length < limit) return
  throw new ServiceError('run_limit', `${whose} at most ${limit} runs at once`, {
    headers: { 'retry-after': '2' },
    details: { limit },
  })
}
