/**
 * Hosts that runs call back. Callbacks to one host under one narrowing share a row in the table of endpoints. So they
 * share a job and its pauses, and different hosts do not delay each other.
 */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { sql } from 'kysely'
import { narrowingText, type Scope, type WholeScope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'
import type { Callback } from '../../events/outbox-service.ts'
import { countWebhooks, narrowingColumns, uniqueKeyOf, type WebhookRow, webhooksOf } from './store.ts'

/** The part of the author's scope that tells the rows of hosts apart. */
export const narrowingOfCallback = (
  { workspaceId, environment }: WholeScope,
  { agentIds, collectionIds }: Pick<Callback, 'agentIds' | 'collectionIds'>,
): Scope => withoutUndefined({ workspaceId, environment, agentIds, collectionIds })

/** Returns the row of the URL's host, and makes it if there is none. The row stays until the transaction ends. */
export async function holdHost(
  newId: NewId,
  tx: Tx,
  scope: Scope,
  { url, now }: { url: string; now: number },
): Promise<WebhookRow> {
  const { origin } = new URL(url)
  const known = await findHost(scope, tx, origin)
  if (known !== undefined) return known
  await tx
    .insertInto('webhooks')
    .values({
      id: newId('webhook'),
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      kind: 'callbacks',
      url: origin,
      unique_key: uniqueKeyOf({ kind: 'callbacks', url: origin, narrowing: narrowingText(scope) }),
      ...narrowingColumns(scope),
      enabled: 1,
      failures: 0,
      created_at: now,
      updated_at: now,
      revision: 1,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const made = await findHost(scope, tx, origin)
  if (made === undefined) throw new Error(`The row of ${origin} is gone as soon as it was made`)
  return made
}

/** Whether the URL's host has a row already, or the environment has fewer than `maxHosts` hosts. */
export async function hasRoomForHost(
  { workspaceId, environment, agentIds, collectionIds }: Scope,
  tx: Tx,
  { url, maxHosts }: { url: string; maxHosts: number },
): Promise<boolean> {
  const scope = narrowingOfCallback(
    { workspaceId, environment },
    withoutUndefined({ agentIds, collectionIds }),
  )
  if ((await findHost(scope, tx, new URL(url).origin)) !== undefined) return true
  return (await countWebhooks(scope, tx, 'callbacks')) < maxHosts
}

/**
 * Locks the row of a host. Until the transaction ends, no worker takes the host for done and no task removes it.
 * Undefined if there is no such row.
 */
function findHost(scope: Scope, tx: Tx, origin: string) {
  const host = { kind: 'callbacks' as const, url: origin, narrowing: narrowingText(scope) }
  return webhooksOf(scope, tx, 'callbacks')
    .selectAll()
    .where('unique_key', '=', uniqueKeyOf(host))
    .forKeyShare()
    .executeTakeFirst()
}

/** Hosts made before `createdBefore` that have no delivery left. */
export const listIdleHosts = (query: Query, createdBefore: number, { after, limit }: RowRange) =>
  query
    .selectFrom('webhooks')
    .select('id')
    .where('kind', '=', 'callbacks')
    .where('created_at', '<', createdBefore)
    .where(isIdle)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Call this under the lock of `tryLockWebhook`. A delivery that is added meanwhile is seen and keeps the row. */
export async function deleteIdleHost(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).where('kind', '=', 'callbacks').where(isIdle).execute()
}

const isIdle = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM webhook_deliveries WHERE webhook_deliveries.webhook_id = webhooks.id
)`
