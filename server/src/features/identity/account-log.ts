/** Sign-ins and account changes as entries in the audit log of each workspace to which the person belongs. */
import { systemCaller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import type { Attempts } from './attempts.ts'

/** The request that caused the entry. */
export type Origin = { address: string; requestId: string }

/** The visitor, as far as the request identifies them. */
export type Visitor = Origin & { cookie: string | undefined; userAgent: string | undefined }

type AccountChange = {
  action:
    | 'account.set_up'
    | 'account.sign_in'
    | 'account.password_change'
    | 'account.password_reset'
    | 'account.second_factor_on'
    | 'account.second_factor_off'
    | 'account.recovery_codes'
  details?: Record<string, unknown>
}

/** What was wrong. It is not proven who sent it, so the entry names only the account. */
type Refusal = 'password' | 'code'

export type AccountLog = ReturnType<typeof createAccountLog>

export function createAccountLog(
  dependencies: Pick<Platform, 'database' | 'log'> & {
    audit: AuditService
    workspaces: Pick<WorkspaceService, 'idsOf'>
    attempts: Attempts
  },
) {
  const { database, audit, workspaces, attempts, log } = dependencies
  const underWay = new Set<Promise<void>>()

  const writeRefusal = async (origin: Origin, whose: () => Promise<string | null>, refusal: Refusal) => {
    const userId = await whose()
    if (userId === null) return
    const tries = await attempts.refused(userId)
    if (!isTold(tries)) return
    await database.write(async tx => {
      for (const workspaceId of await workspaces.idsOf(tx, userId)) {
        const server = systemCaller({ workspaceId, environment: 'live' }, origin.requestId)
        await audit.record(
          tx,
          { ...server, address: origin.address },
          { action: 'account.sign_in_refused', resourceId: userId, details: { wrong: refusal, tries } },
        )
      }
    })
  }

  return {
    /** Writes the entries with the transaction of the change, if there is one. */
    async record(tx: Tx, { requestId, address }: Origin, userId: string, change: AccountChange) {
      for (const workspaceId of await workspaces.idsOf(tx, userId)) {
        const server = systemCaller({ workspaceId, environment: 'live' }, requestId)
        const person = { ...server, kind: 'person', userId, address, idempotencyId: null } as const
        await audit.record(tx, person, { ...change, resourceId: userId })
      }
    },
    /**
     * Writes after the reply, so that its time does not reveal whether the address has an account. If `whose` gives
     * null, nothing is written: the address belongs to no workspace, and the server's log has it. Of many refusals in
     * an hour, only a few are written, with the count.
     */
    refused(origin: Origin, whose: () => Promise<string | null>, refusal: Refusal): void {
      const writing = writeRefusal(origin, whose, refusal)
        .catch(error => log.error('A refused sign-in could not be written to the audit log', { error }))
        .finally(() => underWay.delete(writing))
      underWay.add(writing)
    },
    /** Resolves once all entries that were begun after replies are written. */
    async settled(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}

/** Writes the first five, then only round numbers: a client that tries all day leaves at most ten entries an hour. */
const isTold = (tries: number): boolean => tries <= 5 || /^[125]0+$/.test(String(tries))
