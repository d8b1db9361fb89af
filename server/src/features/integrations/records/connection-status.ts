/** What a connection's status is now, and the error for one whose connector is gone. */
import { ServiceError } from '../../../platform/errors.ts'
import type { ConnectionRow, ConnectionStatus } from './store.ts'

/** A pending connection expires by itself: nothing is written when its time is over. */
export const statusOf = (row: ConnectionRow, nowMs: number): ConnectionStatus =>
  row.status === 'pending' && row.expires_at !== null && row.expires_at <= nowMs ? 'expired' : row.status

export const integrationRemoved = (integrationId: string): ServiceError =>
  new ServiceError('integration_removed', undefined, { details: { integrationId } })
