/** What a connection's status is now. */
import type { ConnectionRow, ConnectionStatus } from './store.ts'

/** A pending connection expires by itself: nothing is written when its time is over. */
export const statusOf = (row: ConnectionRow, nowMs: number): ConnectionStatus =>
  row.status === 'pending' && row.expires_at !== null && row.expires_at <= nowMs ? 'expired' : row.status
