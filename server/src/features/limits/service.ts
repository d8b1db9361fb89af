/** The limits of each plan, and whether a workspace's storage has room. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Plan, Scope, WholeScope } from '../../platform/caller.ts'
import { toDay } from '../../platform/clock.ts'
import type { Query } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { sizeInWords } from '../../platform/text/sizes.ts'
import type { LimitSummary } from '../events/data-schemas.ts'
import type { Occurrence, Outbox } from '../events/outbox-service.ts'

export type PlanLimits = {
  requestsPerMinute: number
  storageBytes: number
  uploadBytes: number
  members: number
  runsAtOnce: number
}

type PlanLimitsByPlan = Readonly<Record<Plan, PlanLimits>>

export type Limits = ReturnType<typeof createLimits>

export const createLimits = (plans: PlanLimitsByPlan, tell: TellLimit) => ({
  /** To be called when a limit refuses something: it records an event. */
  reached: tell,
  /** The current limits of the caller's workspace. */
  of({ plan, requestsPerMinute }: Pick<Caller, 'plan' | 'requestsPerMinute'>): PlanLimits {
    const limits = plans[plan]
    return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute }
  },
})

/** Writes in a separate transaction, since the refused one is rolled back; returns at once. */
type TellLimit = (scope: Scope, reached: LimitSummary) => void

/** With more limits than this a day, the same event may be written again; the outbox refuses the second one. */
const maxRemembered = 10_000

export function createTellLimit(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    outbox: Outbox
  },
): TellLimit {
  const { database, outbox, clock, log } = dependencies
  const told = new Set<string>()
  return ({ workspaceId, environment }, reached) => {
    const at = clock()
    const day = toDay(at)
    const uniqueKey = `limit ${reached.limit} ${reached.agentId ?? ''} ${day}`
    const name = `${workspaceId} ${environment} ${uniqueKey}`
    if (told.has(name)) return
    if (told.size >= maxRemembered) told.clear()
    told.add(name)
    const occurrence = withoutUndefined<Occurrence>({
      workspaceId,
      environment,
      at,
      uniqueKey,
      type: 'limit.reached',
      data: reached,
      agentId: reached.agentId ?? undefined,
    })
    database
      .write(tx => outbox.record(tx, occurrence))
      .catch((error: unknown) => {
        told.delete(name)
        log.warn('The event of a reached limit could not be written', { limit: reached.limit, error })
      })
  }
}

// Whether the plan's storage has room, for files and for the texts of runs.

/** Bytes in use in the environment; each change updates the count. */
export const usedStorage = (scope: Scope, query: Query): Promise<number> => sumStoredBytes(scope, query)

/** Throws `storage_limit` if there is no room for this many more bytes now; changes in progress are not counted. */
export async function requireStorage(
  limits: Limits,
  caller: Caller,
  query: Query,
  sizeBytes: number,
): Promise<void> {
  const { storageBytes } = limits.of(caller)
  const usedBytes = await usedStorage(caller.scope, query)
  if (usedBytes + sizeBytes <= storageBytes) return
  limits.reached(caller.scope, { limit: 'storage', agentId: null, max: storageBytes, used: usedBytes })
  throw new ServiceError(
    'storage_limit',
    `The plan's storage of ${sizeInWords(storageBytes)} would be exceeded: ${sizeInWords(usedBytes)} are in use, earlier versions, the trash and runs among them`,
    { details: { limit: storageBytes, unit: 'bytes', used: usedBytes, actual: sizeBytes } },
  )
}

/** Bytes of all stored files, including earlier versions and the trash, and of the texts of runs and clients. */
async function sumStoredBytes({ workspaceId, environment }: WholeScope, query: Query): Promise<number> {
  const [row] = (await sumBytes(query, { workspaceId, environment })).rows
  return Number(row?.files ?? 0) + Number(row?.runs ?? 0) + Number(row?.conversations ?? 0)
}

const sumBytes = statement((query, { workspaceId, environment }: WholeScope) =>
  query.selectNoFrom(eb => [
    eb
      .selectFrom('collections')
      .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .as('files'),
    eb
      .selectFrom('agents')
      .select(({ fn }) => fn.sum<number | null>('run_bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .as('runs'),
    eb
      .selectFrom('openai_conversations')
      .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .as('conversations'),
  ]),
)
