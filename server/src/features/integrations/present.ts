/** The one way out: rows as the API shows them. */
import { toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Manifest } from './manifest.ts'
import { ApiKeyCredentials, type CatalogEntry, type Connection } from './schemas.ts'
import type { ConnectionRow, ConnectionStatus } from './store.ts'

export const presentEntry = (manifest: Manifest, configured: boolean): CatalogEntry => ({
  id: manifest.id,
  name: manifest.name,
  description: manifest.description,
  category: manifest.category,
  auth: manifest.auth.kind,
  configSchema: { ...manifest.configSchema },
  capabilities: [...manifest.capabilities],
  configured,
  documentationUrl: manifest.documentationUrl,
  credentialsSchema: manifest.auth.kind === 'api_key' ? { ...ApiKeyCredentials } : null,
})

export const presentConnection = (row: ConnectionRow, nowMs: number): Connection => ({
  id: row.id,
  integrationId: row.integration_id,
  name: row.name,
  status: statusOf(row, nowMs),
  account: row.account === null ? null : decodeJson(row.account),
  scopes: decodeJson(row.scopes),
  lastSyncAt: toOptionalTimestamp(row.last_sync_at),
  lastError: row.last_error === null ? null : presentError(decodeJson(row.last_error)),
  createdAt: toTimestamp(row.created_at),
})

/** A pending connection expires by itself: nothing is written when its time is over. */
export const statusOf = (row: ConnectionRow, nowMs: number): ConnectionStatus =>
  row.status === 'pending' && row.expires_at !== null && row.expires_at <= nowMs ? 'expired' : row.status

const presentError = ({ code, message, at }: { code: string; message: string; at: number }) => ({
  code,
  message,
  at: toTimestamp(at),
})
