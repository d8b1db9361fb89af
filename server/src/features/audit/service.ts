/** The audit log: each change writes its row in its own transaction, so no change lacks a row. */
import { browserTokenIdOf, type Caller, environments, keyIdOf } from '../../platform/caller.ts'
import { toTimestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import type { Platform } from '../../platform/platform.ts'
import { nullable, stringEnum, timestamp } from '../../platform/schemas.ts'
import {
  type AuditFilter,
  type AuditRow,
  createSettledTotals,
  dropReplies,
  insertEntry,
  listEntries,
  markCarriedOut,
} from './store.ts'

export const AuditEntry = Type.Closed('AuditEntry', {
  id: Type.String(),
  environment: stringEnum(environments, { description: 'Environment that it belongs to.' }),
  actor: stringEnum(['key', 'person', 'operator', 'system'], {
    description: 'Kind of author: a key, a person in the console, the operator, or the server.',
  }),
  userId: nullable(Type.String({ description: 'The person that the author acted for.' })),
  keyId: nullable(Type.String({ description: 'The key that made it.' })),
  action: Type.String({ description: 'What was done, such as `agent.create`.' }),
  resourceId: nullable(Type.String({ description: 'Id of the changed record.' })),
  details: Type.Object(
    {},
    { additionalProperties: true, description: 'More about the change; never a secret.' },
  ),
  address: nullable(Type.String({ description: 'The address that the request came from.' })),
  requestId: Type.String({ description: 'The X-Request-Id of the request.' }),
  createdAt: timestamp({ description: 'When it was created.' }),
})
export type AuditEntry = Static<typeof AuditEntry>

export type Change = {
  /** Such as `agent.create`. */
  action: string
  resourceId: string | null
  /** True for the row that stands for many changes of one request: the request's reply is kept under this record. */
  isWhole?: boolean
  /** True for a row that another row of the request stands for: lists of the log leave it out. */
  isPart?: boolean
  /** Facts about the change; never a secret, never whole texts. */
  details?: Record<string, unknown>
}

export type AuditRecorder = {
  /** Writes the row of a change; if that fails, the change is rolled back. */
  record(tx: Tx, caller: Caller, change: Change): Promise<void>
}

export type AuditService = AuditRecorder & {
  /**
   * For many changes of one request or job: each writes a row, and lists show only the row of the whole. The first
   * change writes the row of the whole, so changes must come one after another. If that row exists already, `whole`
   * is null.
   */
  partsOf(whole: Omit<Change, 'isWhole' | 'isPart'> | null): AuditRecorder
  /** Deletes the text of kept replies; a repetition of the request then gets `idempotency_interrupted`. */
  forgetReplies(tx: Tx, resourceIds: readonly string[]): Promise<void>
  list(caller: Caller, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>
}

export function createAuditService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'>,
): AuditService {
  const { database, clock, newId } = dependencies
  const totals = createSettledTotals(clock)
  const recorder: AuditRecorder = {
    async record(tx, caller, { action, resourceId, isWhole = false, isPart = false, details = {} }) {
      const browserTokenId = browserTokenIdOf(caller)
      const told = browserTokenId === null ? details : { ...details, browserTokenId }
      await insertEntry(caller.scope, tx, {
        id: newId('auditEntry'),
        workspace_id: caller.scope.workspaceId,
        environment: caller.scope.environment,
        actor: caller.kind,
        user_id: caller.userId,
        key_id: keyIdOf(caller),
        action,
        resource_id: resourceId,
        details: encodeJson(told),
        address: caller.address,
        request_id: caller.requestId,
        created_at: clock(),
        is_part: isPart ? 1 : 0,
      })
      // A stored reply must not show a deleted record; the deletion's own reply is stored later.
      if (resourceId !== null && action.endsWith('.delete')) await dropReplies(tx, [resourceId])
      const isOfRequest = caller.kind === 'key' || caller.kind === 'person'
      if (isOfRequest && caller.idempotencyId !== null) {
        await markCarriedOut(tx, caller.idempotencyId, resourceId ?? action, isWhole)
      }
    },
  }
  return {
    ...recorder,
    partsOf(whole) {
      let isWritten = whole === null
      return {
        async record(tx, caller, change) {
          if (whole !== null && !isWritten) await recorder.record(tx, caller, { ...whole, isWhole: true })
          await recorder.record(tx, caller, { ...change, isPart: true })
          database.afterCommit(tx, () => {
            isWritten = true
          })
        },
      }
    },
    forgetReplies: dropReplies,
    async list(caller, filter, page) {
      const rows = await listEntries(caller.scope, database.read, filter, page, totals)
      return { items: rows.items.map(presentEntry), total: rows.total }
    },
  }
}

const presentEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  environment: row.environment,
  actor: row.actor,
  userId: row.user_id,
  keyId: row.key_id,
  action: row.action,
  resourceId: row.resource_id,
  details: decodeJson(row.details),
  address: row.address,
  requestId: row.request_id,
  createdAt: toTimestamp(row.created_at),
})
