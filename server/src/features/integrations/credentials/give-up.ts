/** The end of credentials that the service does not accept any more: only a person can help then, and they are told. */
import { type Scope, systemCaller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import { changeConnection } from '../records/store.ts'

/** Marks a connection that only its owner can mend, while its credentials still are the given ones; false where they are not. */
export type GiveUp = (scope: Scope, id: string, credentials: string, code: string) => Promise<boolean>

export function createGiveUp(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
}): GiveUp {
  const { database, clock, newId, audit, outbox } = dependencies
  return (scope, id, credentials, code) =>
    database.write(async tx => {
      const message = 'The service does not accept the stored credentials any more'
      const row = await changeConnection(
        scope,
        tx,
        id,
        { credentials },
        {
          status: 'needs_reauth',
          last_error: encodeJson({ code, message, at: clock() }),
          refresh_lease_until: null,
          updated_at: clock(),
        },
      )
      if (row === undefined) return false
      const caller = systemCaller(scope, newId('request'), row.created_by)
      await recordConnectionEvent(tx, outbox, caller, row, {
        status: 'needs_reauth',
        errorCode: code,
        at: clock(),
      })
      await audit.record(tx, caller, {
        action: 'integration.give_up',
        resourceId: id,
        details: { integrationId: row.integration_id, code },
      })
      return true
    })
}
