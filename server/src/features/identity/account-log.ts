/** Sign-ins and changes of accounts as entries in the audit log of each workspace that the person belongs to. */
import { systemCaller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import type { Attempts } from './attempts.ts'

/** The request that it came by. */
export type Origin = { address: string; requestId: string }

/** Who asks, as far as their request tells. */
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

/** What was wrong. Who gave it is not proven, so the entry names the account only. */
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
    /** With the transaction of the change, where it has one. */
    async record(tx: Tx, { requestId, address }: Origin, userId: string, change: AccountChange) {
      for (const workspaceId of await workspaces.idsOf(tx, userId)) {
        const server = systemCaller({ workspaceId, environment: 'live' }, requestId)
        const person = { ...server, kind: 'person', userId, address, idempotencyId: null } as const
        await audit.record(tx, person, { ...change, resourceId: userId })
      }
    },
    /**
     * Written behind the reply, so that its time does not tell whether anybody has the address. Null is written nowhere: the
     * address belongs to no workspace, and the server's own log has it. Of many in an hour a few entries tell the number.
     */
    refused(origin: Origin, whose: () => Promise<string | null>, refusal: Refusal): void {
      const writing = writeRefusal(origin, whose, refusal)
        .catch(error => log.error('A refused sign-in could not be written to the audit log', { error }))
        .finally(() => underWay.delete(writing))
      underWay.add(writing)
    },
    /** Resolves once what was begun behind replies is written. */
    async settled(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}

/** The first few one by one, then the rounder numbers: a client that tries all day leaves at most ten entries an hour. */
const isTold = (tries: number): boolean => tries <= 5 || /^[125]0+$/.test(String(tries))
