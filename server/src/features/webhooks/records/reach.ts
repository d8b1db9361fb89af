/** An endpoint as its caller may have it: it receives no events that its caller may not read. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Engine, Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import { type EventType, permissionFor, subscribableTypes } from '../../events/schemas.ts'
import { readableTypes } from '../../events/service.ts'
import { findWebhook, lockWebhook, type WebhookRow } from './store.ts'

/** Null for all types. Throws a 400 that names each type that the caller may not read; without a choice those are left out. */
export function chosenTypes(caller: Caller, wanted: readonly EventType[] | null): EventType[] | null {
  const readable = readableTypes(caller)
  if (wanted === null) {
    const all = subscribableTypes.filter(type => readable.includes(type))
    return all.length === subscribableTypes.length ? null : all
  }
  const errors = wanted.flatMap((type, index) =>
    readable.includes(type)
      ? []
      : [{ field: `eventTypes.${index}`, message: `${type} needs the permission ${permissionFor(type)}` }],
  )
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return [...wanted]
}

/** Throws 403 if the endpoint receives what the caller may not read. */
export function checkReach(caller: Caller, { event_types }: Pick<WebhookRow, 'event_types'>): void {
  const told: readonly string[] = event_types === null ? subscribableTypes : decodeJson(event_types)
  const readable: readonly string[] = readableTypes(caller)
  const missing = told.find(type => !readable.includes(type))
  if (missing === undefined) return
  throw new ServiceError(
    'permission_missing',
    `The endpoint receives ${missing}, which needs the permission ${permissionFor(missing as EventType)}`,
  )
}

export const requireWebhook = async (scope: Scope, query: Query, id: string): Promise<WebhookRow> =>
  found(await findWebhook(scope, query, id))

/** Locked, to send something there; throws `webhook_disabled`. */
export async function lockEnabled(scope: Scope, tx: Tx, engine: Engine, id: string): Promise<WebhookRow> {
  const row = found(await lockWebhook(scope, tx, engine, id))
  if (row.enabled === 0)
    throw new ServiceError('webhook_disabled', 'The endpoint is disabled; enable it first', {
      details: { webhookId: id },
    })
  return row
}
