/** Sending a range of events again: what is in it is counted at once, and sent by a job. */
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { previewedIds } from '../../platform/database/page.ts'
import { invalidField } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { AuditService } from '../audit/service.ts'
import { countSeenEvents, readEventsBehind } from '../events/service.ts'
import type { ReplayRequest } from './deliveries-schemas.ts'
import { checkReach } from './reach.ts'
import { scopeOfListener, selectionOf } from './replay.ts'
import { replayJob } from './replay-job.ts'
import { lockEnabled, requireWebhook } from './require-webhook.ts'

/**
 * Answers how many events that are, or would be; and the first of them where they only would be. Throws 403 where the endpoint
 * is told of what the caller may not read.
 */
export type StartReplay = (
  caller: Caller,
  webhookId: string,
  range: ReplayRequest,
  dryRun: boolean,
) => Promise<{ count: number; ids: string[] }>

const maxReplayed = 100_000

export function createStartReplay(dependencies: {
  database: Database
  clock: Clock
  audit: AuditService
  jobs: Jobs
}): StartReplay {
  const { database, clock, audit, jobs } = dependencies
  return async (caller, webhookId, { createdAfter, createdBefore }, dryRun) => {
    const { scope } = caller
    const after = Date.parse(createdAfter)
    // What happens from now on is sent anyway.
    const before = Math.min(clock(), createdBefore === undefined ? clock() : Date.parse(createdBefore))
    if (after >= before) throw invalidField('createdAfter', 'must lie before createdBefore, and in the past')
    const range = { createdAfterMs: after, createdBeforeMs: before }
    const webhook = await requireWebhook(scope, database.read, webhookId)
    // How many there are is told, too.
    checkReach(caller, webhook)
    const count = await countSeenEvents(scopeOfListener(webhook), database.read, selectionOf(webhook, range))
    if (count > maxReplayed) {
      const message = `begins a range of ${count} events; at most ${maxReplayed} are sent again at once`
      throw invalidField('createdAfter', message)
    }
    const afterId = firstIdAt('event', after)
    if (dryRun) {
      const from = { afterId, limit: previewedIds }
      const selection = selectionOf(webhook, range)
      const first = await readEventsBehind(scopeOfListener(webhook), database.read, selection, from)
      return { count, ids: first.map(({ id }) => id) }
    }
    await database.write(async tx => {
      await lockEnabled(scope, tx, database.engine, webhookId)
      const { workspaceId } = scope
      await jobs.enqueue(tx, replayJob({ webhookId, workspaceId, ...range, afterId }))
      await audit.record(tx, caller, {
        action: 'webhook.replay',
        resourceId: webhookId,
        details: { createdAfter, createdBefore: createdBefore ?? null, eventCount: count },
      })
    })
    return { count, ids: [] }
  }
}
