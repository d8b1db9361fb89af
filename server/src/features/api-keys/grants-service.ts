/**
 * Keys that people give to apps. Such a key has no secret of its own: the app gets tokens that expire by themselves.
 */
import type { Caller, PersonCaller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { found } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { checkWithin, type FindMissing } from './key-reach.ts'
import type { NewGrant } from './schemas.ts'
import { newKeyRow, recordKeyEvent } from './service.ts'
import { findKey, insertKey, type ListedApiKeyRow, revokeKey } from './store.ts'

export type GrantKeys = ReturnType<typeof createGrantKeys>

export function createGrantKeys(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
    missingAgents: FindMissing
    missingCollections: FindMissing
    /** Called after a key has ended, so that this process drops what it has cached. */
    onChange: () => void
  },
) {
  const { database, audit, outbox, clock, newId, onChange } = dependencies
  return {
    /**
     * Checks what a person gives to an app, as `create` does. The returned function makes the key within a
     * transaction; its secrets are made later.
     */
    async prepare(
      caller: PersonCaller,
      { app, expiresAt, ...wanted }: NewGrant,
    ): Promise<(tx: Tx) => Promise<ListedApiKeyRow>> {
      const { environment } = caller.scope
      await checkWithin(caller, { ...wanted, environment, isFiltered: false }, dependencies)
      return async tx => {
        const id = newId('key')
        const now = clock()
        const made = { id, environment, userId: caller.userId, filter: null, now }
        await insertKey(caller.scope, tx, {
          ...newKeyRow(caller, wanted, made),
          expires_at: expiresAt,
          app_client_id: app.clientId,
          app_host: app.host,
          app_audience: app.audience,
        })
        const { name, permissions } = wanted
        const details = { name, environment, permissions, userId: caller.userId, app }
        await audit.record(tx, caller, { action: 'api_key.create', resourceId: id, details })
        const row = found(await findKey(caller.scope, tx, id))
        await recordKeyEvent(tx, outbox, caller, { ...row, type: 'key.created', at: now })
        return row
      }
    },

    /** Ends a key within a transaction, because its app gave it back or because two parties have its secrets. */
    async end(tx: Tx, caller: Caller, id: string, reason: string): Promise<void> {
      const key = await findKey(caller.scope, tx, id)
      if (key === undefined || !(await revokeKey(caller.scope, tx, { id, now: clock() }))) return
      await audit.record(tx, caller, {
        action: 'api_key.revoke',
        resourceId: id,
        details: { name: key.name, reason },
      })
      await recordKeyEvent(tx, outbox, caller, { ...key, type: 'key.revoked', at: clock() })
      database.afterCommit(tx, onChange)
    },
  }
}
