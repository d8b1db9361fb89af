/** Rows of webhook endpoints and of callback hosts, which share a table, and of the secrets of callbacks. */
import { createHash } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type Environment, narrowingText, type Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, revisesRow } from '../../../platform/database/rows.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'

export type WebhookRow = Selectable<Tables['webhooks']>

export type WebhookKind = WebhookRow['kind']

/** A narrowed key sees only the endpoints that were made under the same narrowing. */
export const webhooksOf = (scope: Scope, query: Query, kind: WebhookKind = 'endpoint') => {
  const narrowing = narrowingText(scope)
  const rows = query
    .selectFrom('webhooks')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
  return narrowing === '' ? rows : rows.where('narrowing', '=', narrowing)
}

export const listWebhooks = (scope: Scope, query: Query, page: PageRequest): Promise<Page<WebhookRow>> =>
  pageOf(webhooksOf(scope, query).selectAll(), page)

export const findWebhook = (scope: Scope, query: Query, id: string) =>
  webhooksOf(scope, query).selectAll().where('id', '=', id).executeTakeFirst()

/** The endpoint with this URL and narrowing. Returns the oldest, because an earlier version could make several. */
export const findWebhookOf = (
  scope: Pick<Scope, 'workspaceId' | 'environment'>,
  query: Query,
  { url, narrowing }: Pick<WebhookRow, 'url' | 'narrowing'>,
): Promise<WebhookRow | undefined> =>
  webhooksOf({ workspaceId: scope.workspaceId, environment: scope.environment }, query)
    .selectAll()
    .where('url', '=', url)
    .where('narrowing', '=', narrowing)
    .orderBy('id')
    .executeTakeFirst()

/** A hash, because a URL and a narrowing may be too long for an index. */
export const uniqueKeyOf = ({ kind, url, narrowing }: Pick<WebhookRow, 'kind' | 'url' | 'narrowing'>) =>
  createHash('sha256')
    .update(JSON.stringify([kind, narrowing, url]))
    .digest('hex')

export const lockWebhook = (scope: Scope, tx: Tx, id: string, kind?: WebhookKind) =>
  webhooksOf(scope, tx, kind).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** A member's enabled endpoints in both environments, regardless of their narrowing. */
export const listWebhooksOf = ({ workspaceId }: Pick<Scope, 'workspaceId'>, query: Query, userId: string) =>
  query
    .selectFrom('webhooks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'endpoint')
    .where('created_by', '=', userId)
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** Counts all rows of this kind in the environment, regardless of their narrowing. */
export const countWebhooks = (
  { workspaceId, environment }: Scope,
  query: Query,
  kind?: WebhookKind,
): Promise<number> => countOf(webhooksOf({ workspaceId, environment }, query, kind))

export const narrowingColumns = (scope: Pick<Scope, 'agentIds' | 'collectionIds'>) => ({
  agent_ids: scope.agentIds === undefined ? null : encodeJson([...scope.agentIds]),
  collection_ids: scope.collectionIds === undefined ? null : encodeJson([...scope.collectionIds]),
  narrowing: narrowingText(scope),
})

export const insertWebhook = (_scope: Scope, tx: Tx, row: Insertable<Tables['webhooks']>) =>
  tx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()

/** A visible change: it raises the revision. */
export const updateWebhook = revisesRow('webhooks')

/** For the worker: finds the endpoint in any state, also if it is disabled or deleted. */
export const findStoredWebhook = (query: Query, id: string): Promise<WebhookRow | undefined> =>
  query.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * For the worker, whose transaction already holds its job. It must not wait for a transaction that holds the endpoint
 * and waits for the job. Returns `busy` if a transaction is about to add a delivery.
 */
export async function tryLockWebhook(tx: Tx, id: string) {
  const row = tx.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().skipLocked()
  const locked = await row.executeTakeFirst()
  if (locked !== undefined) return locked
  return (await findStoredWebhook(tx, id)) === undefined ? undefined : 'busy'
}

/** The health is not a setting, so the revision stays. */
export async function updateHealth(
  tx: Tx,
  id: string,
  health: Pick<WebhookRow, 'failures' | 'failing_since' | 'last_failure_at' | 'paused_until'>,
): Promise<void> {
  await tx.updateTable('webhooks').set(health).where('id', '=', id).execute()
}

export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Runs for each event: lists the endpoints of the environment that can receive events. */
export async function listListeners(
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  tx: Tx,
): Promise<Listener[]> {
  const { rows } = await selectListeners(tx, { workspaceId, environment })
  return rows
}

export type Listener = Pick<
  WebhookRow,
  'id' | 'event_types' | 'agent_ids' | 'collection_ids' | 'paused_until'
>

/** Locks endpoints until the transaction ends: `tryLockWebhook` finds them busy, and no worker ends their jobs. */
const selectListeners = statement((tx, scope: { workspaceId: string; environment: Environment }) =>
  tx
    .selectFrom('webhooks')
    .select(['id', 'event_types', 'agent_ids', 'collection_ids', 'paused_until'])
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('kind', '=', 'endpoint')
    .where('enabled', '=', 1)
    .orderBy('id')
    .forKeyShare(),
)

/** Endpoints with work that is due, including deleted endpoints. Usually they have a job already. */
export const listWithWork = (query: Query, now: number, { after, limit }: RowRange) =>
  query
    .selectFrom('webhooks')
    .select(['id', 'workspace_id'])
    .where(({ eb, or, and, exists, selectFrom }) =>
      or([
        eb('deleted_at', 'is not', null),
        and([
          eb('enabled', '=', 1),
          or([eb('paused_until', 'is', null), eb('paused_until', '<=', now)]),
          exists(
            selectFrom('webhook_deliveries')
              .select('webhook_deliveries.id')
              .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
              .where(sql<boolean>`webhook_deliveries.status = 'pending'`)
              .where('webhook_deliveries.next_attempt_at', '<=', now),
          ),
        ]),
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The secret that signs the callbacks of an environment's runs. */
export type CallbackSecretRow = Selectable<Tables['callback_secrets']>

/** The name of the field for which the secret is sealed. */
export const callbackSecretField = ({ environment }: Pick<Scope, 'environment'>): string =>
  `callbacks.${environment}.secret`

export const findCallbackSecret = (
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  query: Query,
): Promise<CallbackSecretRow | undefined> =>
  query
    .selectFrom('callback_secrets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .executeTakeFirst()

/** Inserts or replaces the secret of the environment. */
export const putCallbackSecret = (_scope: Scope, tx: Tx, row: Insertable<Tables['callback_secrets']>) => {
  const { secret, previous_secret, previous_secret_expires_at, updated_at } = row
  return tx
    .insertInto('callback_secrets')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['workspace_id', 'environment'])
        .doUpdateSet({ secret, previous_secret, previous_secret_expires_at, updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}
