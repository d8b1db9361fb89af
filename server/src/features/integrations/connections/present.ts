/** Shows rows as the API answers them. Rows go out in no other way. */
import type { Connector } from '@atrium/connectors'
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { ConnectionTool } from '../records/remote-tools-schemas.ts'
import type { RemoteToolRow } from '../records/remote-tools-store.ts'
import type { CatalogEntry, Connection, ConnectionTest, StartedConnection } from '../records/schemas.ts'
import { type ConnectionRow, statusOf } from '../records/store.ts'
import { changedFields } from '../records/tool-definitions.ts'
import { presentPlan } from '../syncs/sync-service.ts'
import type { Checked } from './check-connection.ts'
import type { Started } from './connect.ts'
import { credentialsSchemaOf } from './input.ts'

export const presentEntry = (connector: Connector, configured: boolean): CatalogEntry => ({
  id: connector.id,
  name: connector.name,
  description: connector.description,
  category: connector.category,
  auth: connector.auth[0].kind,
  authKinds: connector.auth.map(({ kind }) => kind),
  configSchema: { ...connector.configSchema },
  capabilities: capabilitiesOf(connector),
  configured,
  documentationUrl: connector.documentationUrl,
  credentialsSchema: credentialsSchemaOf(connector),
  unverified: connector.unverified === true,
})

const capabilitiesOf = ({ source, remote, tools = [] }: Connector): CatalogEntry['capabilities'] => [
  ...(source === undefined ? [] : (['sync'] as const)),
  ...(tools.length === 0 && remote === undefined ? [] : (['tools'] as const)),
]

export const presentConnection = (row: ConnectionRow, nowMs: number): Connection => ({
  id: row.id,
  integrationId: row.integration_id,
  name: row.name,
  status: statusOf(row, nowMs),
  config: decodeJson(row.config),
  account: row.account === null ? null : decodeJson(row.account),
  scopes: decodeJson(row.scopes),
  lastSyncAt: toOptionalTimestamp(row.last_sync_at),
  sync: presentPlan(row),
  lastError: row.last_error === null ? null : presentError(decodeJson(row.last_error)),
  createdAt: toTimestamp(row.created_at),
})

/** The connection, with what a person needs to authorize it. */
export function presentStarted({ row, authorization }: Started, nowMs: number): StartedConnection {
  const connection = presentConnection(row, nowMs)
  if (authorization === null) return connection
  const { expiresAt, ...shown } = authorization
  return { ...connection, ...shown, expiresAt: toTimestamp(expiresAt) }
}

export const presentTest = ({ row, error, account, checkedAt }: Checked, nowMs: number): ConnectionTest => ({
  ok: error === null,
  status: statusOf(row, nowMs),
  account,
  error,
  checkedAt: toTimestamp(checkedAt),
})

const presentError = ({ code, message, at }: { code: string; message: string; at: number }) => ({
  code,
  message,
  at: toTimestamp(at),
})

/** A tool that the connected server names. */
export function presentTool(row: RemoteToolRow): ConnectionTool {
  const offered = row.offered === null ? null : decodeJson(row.offered)
  const accepted = row.accepted === null ? null : decodeJson(row.accepted)
  return {
    name: row.name,
    remoteName: row.remote_name,
    status: toolStatusOf(row),
    needsApproval: row.needs_approval === 1,
    hash: row.offered_hash,
    fault: row.fault,
    offered,
    accepted,
    changedFields: offered === null || accepted === null ? [] : changedFields(accepted, offered),
    acceptedAt: toOptionalTimestamp(row.accepted_at),
    acceptedBy: row.accepted_by,
  }
}

function toolStatusOf({ offered_hash, accepted_hash, fault }: RemoteToolRow): ConnectionTool['status'] {
  if (offered_hash === null) return 'missing'
  if (fault !== null) return 'unusable'
  if (accepted_hash === null) return 'new'
  return accepted_hash === offered_hash ? 'accepted' : 'changed'
}
