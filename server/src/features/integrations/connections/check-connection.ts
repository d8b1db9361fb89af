/** Testing a connection: one call to the service, and what it means for the connection. */
import type { Account, Connector } from '@atrium/connectors'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { ConnectorHost } from '../credentials/connector-host.ts'
import { type TrialResult, trialTimeoutMs, tryConnector } from '../credentials/trial.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import {
  type ConnectionChange,
  type ConnectionRow,
  changeConnection,
  findConnection,
  statusOf,
} from '../records/store.ts'
import { type OnActive, sandboxAccount } from './connect.ts'

export type Checked = {
  row: ConnectionRow
  /** Null if the service answered as it should. */
  error: { code: string; message: string } | null
  account: Account | null
  checkedAt: number
}

/** Throws `connection_not_active` if the connection never was active. */
export type CheckConnection = (caller: Caller, row: ConnectionRow) => Promise<Checked>

/** `given-up`: the keeper has already written down why. */
type Trial = {
  result: TrialResult | { kind: 'given-up'; code: string; message: string }
  credentials: string | null
}

export function createCheckConnection(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    audit: AuditService
    outbox: Outbox
    host: ConnectorHost
    connectorOf: (integrationId: string) => Connector | null
    onActive: OnActive
  },
): CheckConnection {
  const { database, clock, audit, outbox, host, connectorOf, onActive } = dependencies

  const callService = async (scope: Scope, connector: Connector, row: ConnectionRow): Promise<Trial> => {
    try {
      const { context, used } = host.open(connector, scope, row, AbortSignal.timeout(trialTimeoutMs))
      const result = await tryConnector(connector, context)
      return { result, credentials: used() }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'not_found') throw error
      const kind = error.code === 'connection_not_active' ? 'given-up' : 'unreachable'
      return { result: { kind, code: error.code, message: error.message }, credentials: row.credentials }
    }
  }

  /** Records an event only if the connection stopped working, or works again. */
  const tell = async (
    tx: Tx,
    caller: Caller,
    before: ConnectionRow,
    row: ConnectionRow,
    result: Trial['result'],
  ): Promise<void> => {
    const { status } = row
    if (status === before.status || (status !== 'active' && status !== 'needs_reauth')) return
    await recordConnectionEvent(
      tx,
      outbox,
      caller,
      row,
      withoutUndefined({
        status,
        at: clock(),
        errorCode: result.kind !== 'ok' ? result.code : undefined,
      }),
    )
  }

  const conclude = (
    caller: Caller,
    before: ConnectionRow,
    { result, credentials }: Trial,
    change: ConnectionChange | null,
  ): Promise<ConnectionRow> =>
    database.write(async tx => {
      const { id } = before
      if (change !== null) {
        const dated = { ...change, updated_at: clock() }
        const changed = await changeConnection(caller.scope, tx, id, { credentials }, dated)
        if (changed !== undefined) await tell(tx, caller, before, changed, result)
      }
      // Newer credentials or the end of the connection may have come first. The answer is the present row.
      const row = found(await findConnection(caller.scope, tx, id))
      const details = result.kind === 'ok' ? { ok: true } : { ok: false, code: result.code }
      await audit.record(tx, caller, { action: 'integration.test', resourceId: id, details })
      return row
    })

  return async (caller, row) => {
    const connector = connectorOf(row.integration_id)
    if (connector === null || (row.status !== 'active' && row.status !== 'needs_reauth')) {
      throw new ServiceError(
        'connection_not_active',
        `The connection is ${statusOf(row, clock())}: only one that was active can be tested`,
        { details: { connectionId: row.id, status: statusOf(row, clock()) } },
      )
    }
    const trial: Trial =
      caller.scope.environment === 'test'
        ? { result: { kind: 'ok', account: sandboxAccount }, credentials: row.credentials }
        : await callService(caller.scope, connector, row)
    const { result } = trial
    const checkedAt = clock()
    const checked = await conclude(caller, row, trial, changeAfter(result, row, checkedAt))
    if (result.kind === 'ok') await onActive(caller.scope, checked)
    if (result.kind === 'ok') return { row: checked, error: null, account: result.account, checkedAt }
    return { row: checked, error: { code: result.code, message: result.message }, account: null, checkedAt }
  }
}

/** The change that the result makes to the connection; null if nothing changes. */
function changeAfter(result: Trial['result'], row: ConnectionRow, nowMs: number): ConnectionChange | null {
  if (result.kind === 'given-up') return null
  if (result.kind === 'ok') {
    const account = encodeJson(result.account)
    const isAsBefore = row.status === 'active' && row.last_error === null && row.account === account
    return isAsBefore ? null : { status: 'active', last_error: null, account }
  }
  const last_error = encodeJson({ code: result.code, message: result.message, at: nowMs })
  const needsPerson = result.kind === 'rejected' && row.credentials !== null
  return needsPerson ? { status: 'needs_reauth', last_error } : { last_error }
}
