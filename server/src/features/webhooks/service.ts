/** Webhook endpoints: made with a secret that is shown once, changed, given a new secret, deleted with their log. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Insertable } from 'kysely'
import { type Caller, narrowingText, type Scope } from '../../platform/caller.ts'
import { type Clock, secondMs } from '../../platform/clock.ts'
import type { Seals } from '../../platform/crypto/seals.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { encodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { takeTurn } from '../../platform/database/take-turns.ts'
import { found, invalidField, limitReached } from '../../platform/errors.ts'
import type { UrlCheck } from '../../platform/fetch/url-check.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { checkRevision, type Deletion } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { EventType } from '../events/schemas.ts'
import { deliveryJob } from './records/delivery-job.ts'
import { checkReach, chosenTypes } from './records/reach.ts'
import { newWebhookSecret, secretField } from './records/signature.ts'
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from './records/store.ts'
import type { NewWebhook, WebhookChange } from './schemas.ts'

/** An endpoint with its secret, which is shown this once. */
type MadeWebhook = { row: WebhookRow; secret: string }

export type WebhookService = ReturnType<typeof createWebhookService>

const maxWebhooks = 50

export function createWebhookService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  jobs: Jobs
  seals: Seals
  checkUrl: UrlCheck
}) {
  const { database, clock, newId, audit, jobs, seals, checkUrl } = dependencies

  const checkedUrl = async (text: string): Promise<string> => {
    const checked = await checkUrl(text)
    if ('fault' in checked) throw invalidField('url', checked.fault)
    return checked.url
  }

  /** The endpoint locked for a change. */
  const lock = async (caller: Caller, tx: Tx, id: string, ifMatch: string | null): Promise<WebhookRow> => {
    const row = found(await lockWebhook(caller.scope, tx, database.engine, id))
    checkRevision(ifMatch, row)
    return row
  }

  return {
    list: (caller: Caller, page: PageRequest): Promise<Page<WebhookRow>> =>
      listWebhooks(caller.scope, database.read, page),
    get: async (caller: Caller, id: string): Promise<WebhookRow> =>
      found(await findWebhook(caller.scope, database.read, id)),

    /** Throws a 400 for an address that points inside and for types that the caller may not read itself. */
    async create(caller: Caller, wanted: NewWebhook): Promise<MadeWebhook> {
      const { scope } = caller
      const eventTypes = chosenTypes(caller, wanted.eventTypes ?? null)
      const url = await checkedUrl(wanted.url)
      const id = newId('webhook')
      const secret = newWebhookSecret()
      const sealed = await seals.seal(scope, secretField(id), secret)
      const made = { ...wanted, id, url, eventTypes, sealed, now: clock() }
      return database.write(async tx => {
        await takeTurn(tx, database.engine, `webhooks ${scope.workspaceId} ${scope.environment}`)
        if ((await countWebhooks(scope, tx)) >= maxWebhooks) {
          const message = `There can be at most ${maxWebhooks} endpoints; delete one first`
          throw limitReached('webhooks', maxWebhooks, message)
        }
        const row = await insertWebhook(scope, tx, newRow(caller, made))
        await audit.record(tx, caller, {
          action: 'webhook.create',
          resourceId: id,
          details: { host: new URL(url).host, eventTypes },
        })
        return { row, secret }
      })
    },

    /** Throws as `create` does, and 403 if the endpoint receives more than the caller may read. */
    async update(
      caller: Caller,
      id: string,
      change: WebhookChange,
      ifMatch: string | null,
    ): Promise<WebhookRow> {
      const url = change.url === undefined ? undefined : await checkedUrl(change.url)
      return database.write(async tx => {
        const row = await lock(caller, tx, id, ifMatch)
        // A caller who chooses where events go can read them.
        checkReach(caller, row)
        const columns = columnsOf(caller, row, withoutUndefined({ ...change, url }))
        const updated = await updateWebhook(caller.scope, tx, id, { ...columns, updated_at: clock() })
        if (updated.enabled === 1) await jobs.wake(tx, deliveryJob(id, row.workspace_id))
        const { url: _url, ...told } = change
        await audit.record(tx, caller, {
          action: 'webhook.update',
          resourceId: id,
          details: { ...told, host: url !== undefined ? new URL(url).host : undefined },
        })
        return updated
      })
    },

    /** A new secret; for `overlapSeconds` deliveries are signed with the old one too. */
    async rotateSecret(caller: Caller, id: string, overlapSeconds: number): Promise<MadeWebhook> {
      const secret = newWebhookSecret()
      const sealed = await seals.seal(caller.scope, secretField(id), secret)
      const row = await database.write(async tx => {
        const before = await lock(caller, tx, id, null)
        checkReach(caller, before)
        const now = clock()
        const updated = await updateWebhook(caller.scope, tx, id, {
          secret: sealed,
          previous_secret: overlapSeconds === 0 ? null : before.secret,
          previous_secret_expires_at: overlapSeconds === 0 ? null : now + overlapSeconds * secondMs,
          updated_at: now,
        })
        await audit.record(tx, caller, {
          action: 'webhook.rotate_secret',
          resourceId: id,
          details: { overlapSeconds },
        })
        return updated
      })
      return { row, secret }
    },

    /** From the reply on nothing is sent any more, and the endpoint and its deliveries are not there. */
    remove: (caller: Caller, id: string, { ifMatch, dryRun }: Deletion): Promise<void> =>
      database.write(async tx => {
        const row = await lock(caller, tx, id, ifMatch)
        if (dryRun) return
        const now = clock()
        await updateWebhook(caller.scope, tx, id, {
          enabled: 0,
          secret: null,
          previous_secret: null,
          deleted_at: now,
          updated_at: now,
        })
        await jobs.wake(tx, deliveryJob(id, row.workspace_id))
        await audit.record(tx, caller, {
          action: 'webhook.delete',
          resourceId: id,
          details: { host: new URL(row.url).host },
        })
      }),
  }
}

const newRow = (
  { scope, userId }: Caller,
  made: Omit<NewWebhook, 'eventTypes'> & {
    id: string
    eventTypes: EventType[] | null
    sealed: string
    now: number
  },
): Insertable<Tables['webhooks']> => ({
  id: made.id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  url: made.url,
  description: made.description ?? null,
  event_types: made.eventTypes === null ? null : encodeJson<string[]>(made.eventTypes),
  ...narrowingColumns(scope),
  enabled: made.enabled === false ? 0 : 1,
  disabled_reason: made.enabled === false ? 'manual' : null,
  secret: made.sealed,
  failures: 0,
  created_by: userId,
  created_at: made.now,
  updated_at: made.now,
  revision: 1,
})

const healthy = { failures: 0, failing_since: null, last_failure_at: null, paused_until: null }

const narrowingColumns = (scope: Scope) => ({
  agent_ids: scope.agentIds === undefined ? null : encodeJson([...scope.agentIds]),
  collection_ids: scope.collectionIds === undefined ? null : encodeJson([...scope.collectionIds]),
  narrowing: narrowingText(scope),
})

/** The columns of the fields that are given. */
function columnsOf(
  caller: Caller,
  row: WebhookRow,
  { url, description, eventTypes, enabled }: WebhookChange,
) {
  const types = eventTypes === undefined ? undefined : chosenTypes(caller, eventTypes)
  const isTurnedOn = enabled === true && row.enabled === 0
  const isTurnedOff = enabled === false && row.enabled === 1
  // A new beginning: what failed before says nothing of how it works now.
  const health = isTurnedOn || url !== undefined ? healthy : {}
  // Who turns it on answers for where events go from now on.
  const on = { enabled: 1, disabled_reason: null, created_by: caller.userId }
  const off = { enabled: 0, disabled_reason: 'manual' as const }
  const state = isTurnedOn ? on : isTurnedOff ? off : {}
  return {
    url,
    description,
    event_types: types !== undefined ? (types === null ? null : encodeJson<string[]>(types)) : undefined,
    ...health,
    ...state,
  }
}
