/** Checks that an endpoint receives only events that its caller may read. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { forbidden, found, ServiceError } from '../../../platform/errors.ts'
import {
  type EventType,
  isCovered,
  kindPatterns,
  type ListenerChoice,
  permissionFor,
  subscribableTypes,
} from '../../events/schemas.ts'
import { findWebhook, lockWebhook, type WebhookRow } from './store.ts'

/**
 * Null means all types. Throws a 400 that names each choice that the caller may not read. For `*`, types that the
 * caller may not read are left out instead.
 */
export function chosenTypes(
  { permissions }: Caller,
  wanted: readonly ListenerChoice[],
): ListenerChoice[] | null {
  if (wanted.includes('*')) {
    const readable = kindPatterns.filter(pattern => permissions.has(permissionFor(pattern)))
    return readable.length === kindPatterns.length ? null : readable
  }
  const named = wanted.filter(choice => choice !== '*')
  const errors = named.flatMap((choice, index) => {
    const needed = permissionFor(choice)
    if (permissions.has(needed)) return []
    return [{ field: `eventTypes.${index}`, message: `${choice} needs the permission ${needed}` }]
  })
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return named
}

/** The event types and patterns that were chosen for an endpoint. */
export const choicesOf = ({ event_types }: Pick<WebhookRow, 'event_types'>): ListenerChoice[] =>
  // Only values of `listenerChoices` are ever stored.
  event_types === null ? ['*'] : (decodeJson(event_types) as ListenerChoice[])

/** The event types that the endpoint's choices cover. */
export const typesOf = (webhook: Pick<WebhookRow, 'event_types'>): EventType[] =>
  subscribableTypes.filter(type => isCovered(type, choicesOf(webhook)))

/** Throws 403 if the endpoint receives events that the caller may not read. */
export function checkReach(caller: Caller, webhook: Pick<WebhookRow, 'event_types'>): void {
  const missing = typesOf(webhook).find(type => !caller.permissions.has(permissionFor(type)))
  if (missing === undefined) return
  throw forbidden(
    'permission',
    `The endpoint receives ${missing}, which needs the permission ${permissionFor(missing)}`,
    { permission: permissionFor(missing) },
  )
}

export const requireWebhook = async (scope: Scope, query: Query, id: string): Promise<WebhookRow> =>
  found(await findWebhook(scope, query, id))

/** Locks an endpoint to send something to it. Throws `webhook_disabled` if the endpoint is disabled. */
export async function lockEnabled(scope: Scope, tx: Tx, id: string): Promise<WebhookRow> {
  const row = found(await lockWebhook(scope, tx, id))
  if (row.enabled === 0)
    throw new ServiceError('webhook_disabled', 'The endpoint is disabled; enable it first', {
      details: { webhookId: id },
    })
  return row
}
