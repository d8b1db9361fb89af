/** Callbacks of runs: which URLs are accepted, and the secret that signs callbacks. */
import type { Caller } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import { newWebhookSecret } from '../../../platform/crypto/webhook-signatures.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { UrlCheck } from '../../../platform/fetch/connector.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import { hasRoomForHost, holdHost, narrowingOfCallback } from '../records/callback-hosts.ts'
import {
  type CallbackSecretRow,
  callbackSecretField,
  findCallbackSecret,
  putCallbackSecret,
} from '../records/store.ts'

export type CallbackService = ReturnType<typeof createCallbackService>

/** The most hosts of an environment with callbacks in progress or in the log. */
const maxHosts = 100

export function createCallbackService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId' | 'seals'> & {
    audit: AuditService
    checkUrl: UrlCheck
  },
) {
  const { database, clock, newId, audit, seals, checkUrl } = dependencies
  return {
    /** Returns the URL as it is stored. Throws a 400 if the URL points to a private address or no secret exists. */
    async check({ scope }: Caller, callbackUrl: string): Promise<string> {
      const checked = await checkUrl(callbackUrl)
      if ('fault' in checked) throw invalidField('callbackUrl', checked.fault)
      if ((await findCallbackSecret(scope, database.read)) === undefined) {
        const remedy = 'make one with POST /callbacks/secret/rotate'
        throw invalidField('callbackUrl', `needs the secret that signs callbacks: ${remedy}`)
      }
      return checked.url
    },

    /** Call this in the transaction that writes the run. Throws a 400 if the URL's host is one too many. */
    async admit(tx: Tx, { scope }: Caller, url: string): Promise<void> {
      if (!(await hasRoomForHost(scope, tx, { url, maxHosts }))) {
        throw invalidField(
          'callbackUrl',
          `names a new host, and there are callbacks to ${maxHosts} hosts: use one of those, with a path or query of your own`,
        )
      }
      await holdHost(newId, tx, narrowingOfCallback(scope, scope), { url, now: clock() })
    },

    /** Undefined if the environment has no secret. */
    secret: ({ scope }: Caller): Promise<CallbackSecretRow | undefined> =>
      findCallbackSecret(scope, database.read),

    /**
     * Makes or replaces the secret. For `overlapSeconds` callbacks are also signed with the old secret. It signs all
     * callbacks of the environment, so its route is closed to narrowed keys.
     */
    async rotateSecret(
      caller: Caller,
      overlapSeconds: number,
    ): Promise<{ row: CallbackSecretRow; secret: string }> {
      const { scope } = caller
      const { workspaceId, environment } = scope
      const secret = newWebhookSecret()
      const sealed = await seals.seal(scope, callbackSecretField(scope), secret)
      const row = await database.write(async tx => {
        await takeTurn(tx, `callbacks ${workspaceId} ${environment}`)
        const before = await findCallbackSecret(scope, tx)
        const overlaps = before !== undefined && overlapSeconds > 0
        const now = clock()
        await audit.record(tx, caller, {
          action: 'workspace.rotate_callback_secret',
          resourceId: workspaceId,
          details: { environment, overlapSeconds },
        })
        return putCallbackSecret(scope, tx, {
          workspace_id: workspaceId,
          environment,
          secret: sealed,
          previous_secret: overlaps ? before.secret : null,
          previous_secret_expires_at: overlaps ? now + overlapSeconds * secondMs : null,
          created_at: now,
          updated_at: now,
        })
      })
      return { row, secret }
    },
  }
}
