/** Webhook endpoints, one per URL: created with a secret that is shown once, changed, given a new secret, deleted. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Insertable } from 'kysely'
import { type Caller, narrowingText, type Scope } from '../../platform/caller.ts'
import { secondMs } from '../../platform/clock.ts'
import { newWebhookSecret, secretField } from '../../platform/crypto/webhook-signatures.ts'
import { takeTurn } from '../../platform/database/between-processes.ts'
import type { Tx } from '../../platform/database/database.ts'
import { encodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { found, invalidField, limitReached, ServiceError } from '../../platform/errors.ts'
import type { UrlCheck } from '../../platform/fetch/connector.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkRevision, type Deletion } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { ListenerChoice } from '../events/schemas.ts'
import { deliveryJob } from './records/delivery-job.ts'
import { checkReach, chosenTypes } from './records/reach.ts'
import {
  countWebhooks,
  findWebhook,
  findWebhookOf,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  narrowingColumns,
  uniqueKeyOf,
  updateWebhook,
  type WebhookRow,
} from './records/store.ts'
import type { NewWebhook, WebhookChange } from './schemas.ts'

/** An endpoint with its secret, which is shown only now. */
type MadeWebhook = { row: WebhookRow; secret: string }

export type WebhookService = ReturnType<typeof createWebhookService>

const maxWebhooks = 50

type Dependencies = Pick<Platform, 'database' | 'clock' | 'newId' | 'jobs' | 'seals'> & {
  audit: AuditService
  checkUrl: UrlCheck
}

export function createWebhookService(dependencies: Dependencies) {
  const { database, clock, audit, jobs, seals } = dependencies

  return {
    ...createMaking(dependencies),

    list: (caller: Caller, page: PageRequest): Promise<Page<WebhookRow>> =>
      listWebhooks(caller.scope, database.read, page),
    get: async (caller: Caller, id: string): Promise<WebhookRow> =>
      found(await findWebhook(caller.scope, database.read, id)),

    /** Throws like `create`, and 403 if the endpoint receives events that the caller may not read. */
    async update(caller: Caller, id: string, change: WebhookChange, ifMatch: string | null) {
      const url = change.url === undefined ? undefined : await checkedUrl(dependencies, change.url)
      return database.write(async tx => {
        if (url !== undefined) await takeTurnOf(tx, caller.scope)
        const row = await lock(tx, caller, id, ifMatch)
        // A caller who chooses where events are sent can read them.
        checkReach(caller, row)
        if (url !== undefined) {
          const same = await findWebhookOf(caller.scope, tx, { url, narrowing: row.narrowing })
          if (same !== undefined && same.id !== id) throw urlTaken(same)
        }
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

    /** Makes a new secret. For `overlapSeconds` deliveries are also signed with the old secret. */
    async rotateSecret(caller: Caller, id: string, overlapSeconds: number): Promise<MadeWebhook> {
      const secret = newWebhookSecret()
      const sealed = await seals.seal(caller.scope, secretField(id), secret)
      const row = await database.write(async tx => {
        const before = await lock(tx, caller, id, null)
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

    /** From the reply on nothing is sent any more, and the endpoint and its deliveries cannot be found. */
    remove: (caller: Caller, id: string, { ifMatch, dryRun }: Deletion): Promise<void> =>
      database.write(async tx => {
        const row = await lock(tx, caller, id, ifMatch)
        if (dryRun) return
        const now = clock()
        await updateWebhook(caller.scope, tx, id, {
          enabled: 0,
          secret: null,
          previous_secret: null,
          unique_key: null,
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

/** The two ways to make an endpoint: `create`, and `put` if it may exist already. */
function createMaking(dependencies: Dependencies) {
  const { database, clock, newId, audit, jobs, seals } = dependencies

  /** Checks and seals what a new endpoint needs, before the transaction. */
  const prepare = async (caller: Caller, wanted: NewWebhook): Promise<Prepared> => {
    const eventTypes = chosenTypes(caller, wanted.eventTypes ?? ['*'])
    const url = await checkedUrl(dependencies, wanted.url)
    const id = newId('webhook')
    const secret = newWebhookSecret()
    return {
      ...wanted,
      id,
      url,
      eventTypes,
      secret,
      sealed: await seals.seal(caller.scope, secretField(id), secret),
    }
  }

  const insert = async (tx: Tx, caller: Caller, prepared: Prepared, action: string): Promise<MadeWebhook> => {
    const { id, url, eventTypes, secret } = prepared
    if ((await countWebhooks(caller.scope, tx)) >= maxWebhooks) {
      const message = `There can be at most ${maxWebhooks} endpoints; delete one first`
      throw limitReached('webhooks', maxWebhooks, message)
    }
    const row = await insertWebhook(caller.scope, tx, newRow(caller, prepared, clock()))
    await audit.record(tx, caller, {
      action,
      resourceId: id,
      details: { host: new URL(url).host, eventTypes },
    })
    return { row, secret }
  }

  return {
    /**
     * Throws a 400 if the URL points to a private address or the caller may not read a type. Throws `already_exists`
     * if an endpoint has the URL.
     */
    async create(caller: Caller, wanted: NewWebhook): Promise<MadeWebhook> {
      const prepared = await prepare(caller, wanted)
      const { scope } = caller
      return database.write(async tx => {
        await takeTurnOf(tx, scope)
        const same = await findWebhookOf(scope, tx, { ...prepared, narrowing: narrowingText(scope) })
        if (same !== undefined) throw urlTaken(same)
        return insert(tx, caller, prepared, 'webhook.create')
      })
    },

    /**
     * Makes the endpoint with this URL, or changes the given fields of the existing one. An existing endpoint keeps
     * its secret, and the returned secret is null. Throws like `create` and `update`.
     */
    async put(caller: Caller, wanted: NewWebhook): Promise<{ row: WebhookRow; secret: string | null }> {
      const prepared = await prepare(caller, wanted)
      const { scope } = caller
      return database.write(async tx => {
        await takeTurnOf(tx, scope)
        const same = await findWebhookOf(scope, tx, { ...prepared, narrowing: narrowingText(scope) })
        if (same === undefined) return insert(tx, caller, prepared, 'webhook.put')
        const row = await lock(tx, caller, same.id, null)
        checkReach(caller, row)
        const { url: _url, ...change } = wanted
        const columns = withoutUndefined({ ...columnsOf(caller, row, change), unique_key: uniqueKeyOf(row) })
        if (isAsBefore(row, columns)) return { row, secret: null }
        const updated = await updateWebhook(scope, tx, row.id, { ...columns, updated_at: clock() })
        if (updated.enabled === 1) await jobs.wake(tx, deliveryJob(row.id, row.workspace_id))
        await audit.record(tx, caller, { action: 'webhook.put', resourceId: row.id, details: change })
        return { row: updated, secret: null }
      })
    },
  }
}

async function checkedUrl({ checkUrl }: Dependencies, text: string): Promise<string> {
  const checked = await checkUrl(text)
  if ('fault' in checked) throw invalidField('url', checked.fault)
  return checked.url
}

/** Locks the endpoint for a change. */
async function lock(tx: Tx, { scope }: Caller, id: string, ifMatch: string | null) {
  const row = found(await lockWebhook(scope, tx, id))
  checkRevision(ifMatch, row)
  return row
}

/** Transactions that make an endpoint or change a URL take turns, so that no URL gets a second endpoint. */
const takeTurnOf = (tx: Tx, { workspaceId, environment }: Scope): Promise<void> =>
  takeTurn(tx, `webhooks ${workspaceId} ${environment}`)

type Prepared = Omit<NewWebhook, 'eventTypes'> & {
  id: string
  eventTypes: ListenerChoice[] | null
  secret: string
  sealed: string
}

const urlTaken = ({ id }: WebhookRow): ServiceError =>
  new ServiceError(
    'already_exists',
    `The endpoint ${id} has this URL already: change it, or send PUT /webhooks`,
    {
      details: { resource: 'webhook', field: 'url', id },
    },
  )

const newRow = ({ scope, userId }: Caller, made: Prepared, now: number): Insertable<Tables['webhooks']> => ({
  id: made.id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  url: made.url,
  unique_key: uniqueKeyOf({ kind: 'endpoint', url: made.url, narrowing: narrowingText(scope) }),
  description: made.description ?? null,
  event_types: made.eventTypes === null ? null : encodeJson<string[]>(made.eventTypes),
  ...narrowingColumns(scope),
  enabled: made.enabled === false ? 0 : 1,
  disabled_reason: made.enabled === false ? 'manual' : null,
  secret: made.sealed,
  failures: 0,
  created_by: userId,
  created_at: now,
  updated_at: now,
  revision: 1,
})

const isAsBefore = (row: WebhookRow, columns: Partial<WebhookRow>): boolean =>
  Object.entries(columns).every(([name, value]) => row[name as keyof WebhookRow] === value)

const healthy = { failures: 0, failing_since: null, last_failure_at: null, paused_until: null }

/** The columns to change for the given fields. */
function columnsOf(
  caller: Caller,
  row: WebhookRow,
  { url, description, eventTypes, enabled }: WebhookChange,
) {
  const types = eventTypes === undefined ? undefined : chosenTypes(caller, eventTypes)
  const isTurnedOn = enabled === true && row.enabled === 0
  const isTurnedOff = enabled === false && row.enabled === 1
  // Earlier failures say nothing about the endpoint after this change.
  const health = isTurnedOn || url !== undefined ? healthy : {}
  // The caller who enables the endpoint is responsible for it from now on.
  const on = { enabled: 1, disabled_reason: null, created_by: caller.userId }
  const off = { enabled: 0, disabled_reason: 'manual' as const }
  const state = isTurnedOn ? on : isTurnedOff ? off : {}
  return {
    url,
    unique_key: url === undefined ? undefined : uniqueKeyOf({ ...row, url }),
    description,
    event_types: types !== undefined ? (types === null ? null : encodeJson<string[]>(types)) : undefined,
    ...health,
    ...state,
  }
}
