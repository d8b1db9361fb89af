/** What a run has used, counted in the transaction that ends it: once, however often it was taken up. */
import type { Environment } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/data-schemas.ts'
import { actorIdOf } from './actor.ts'
import { dayOf } from './days.ts'
import { addRun } from './store.ts'

type RunToCount = {
  id: string
  workspace_id: string
  environment: Environment
  agent_id: string
  input_tokens: number
  output_tokens: number
  /** Null where the model's price is not known. */
  cost_usd: number | null
}

export async function countRun(tx: Tx, run: RunToCount, author: Actor, now: number): Promise<void> {
  const day = dayOf(now)
  await addRun(tx, {
    workspaceId: run.workspace_id,
    environment: run.environment,
    runId: run.id,
    agentId: run.agent_id,
    actorId: actorIdOf(author),
    day,
    month: day.slice(0, 7),
    unpricedRuns: run.cost_usd === null ? 1 : 0,
    inputTokens: run.input_tokens,
    outputTokens: run.output_tokens,
    costUsd: run.cost_usd ?? 0,
  })
}
