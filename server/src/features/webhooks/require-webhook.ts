/** An endpoint as its caller may have it, or the error that says why not. */
import type { Scope } from '../../platform/caller.ts'
import type { Engine, Query, Tx } from '../../platform/database/database.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { findWebhook, lockWebhook, type WebhookRow } from './store.ts'

/** Throws 404 for what is not there. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound()
  return row
}

export const requireWebhook = async (scope: Scope, query: Query, id: string): Promise<WebhookRow> =>
  found(await findWebhook(scope, query, id))

/** Locked, for whoever sends something there; throws `conflict` where it is not enabled. */
export async function lockEnabled(scope: Scope, tx: Tx, engine: Engine, id: string): Promise<WebhookRow> {
  const row = found(await lockWebhook(scope, tx, engine, id))
  if (row.enabled === 0) throw new ServiceError('conflict', 'The endpoint is disabled; enable it first')
  return row
}
