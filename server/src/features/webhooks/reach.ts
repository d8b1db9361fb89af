/** Nobody has events sent anywhere that they could not read themselves. */
import type { Caller } from '../../platform/caller.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { ServiceError } from '../../platform/errors.ts'
import { type EventType, permissionFor, subscribableTypes } from '../events/schemas.ts'
import { readableTypes } from '../events/service.ts'
import type { WebhookRow } from './store.ts'

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

/** Throws 403 where the endpoint is told of what the caller may not read. */
export function checkReach(caller: Caller, { event_types }: Pick<WebhookRow, 'event_types'>): void {
  const told: readonly string[] = event_types === null ? subscribableTypes : decodeJson(event_types)
  const readable: readonly string[] = readableTypes(caller)
  const missing = told.find(type => !readable.includes(type))
  if (missing === undefined) return
  throw new ServiceError(
    'permission_missing',
    `The endpoint is told of ${missing}, which needs the permission ${permissionFor(missing as EventType)}`,
  )
}
