/** What the API's words about services mean to a person. */
import type { Connection, Integration } from '@atrium/sdk'
import type { BadgeTone } from '../../ui/badge.tsx'

export const authWords: Readonly<Record<Integration['auth'], string>> = {
  oauth2: 'By authorization',
  api_key: 'By a key',
  basic: 'By a password',
  none: 'Open to all',
  mcp: 'By MCP',
}

export const statusWords: Readonly<Record<Connection['status'], { label: string; tone: BadgeTone }>> = {
  pending: { label: 'Waits for the authorization', tone: 'warn' },
  active: { label: 'Connected', tone: 'good' },
  needs_reauth: { label: 'Needs to be reconnected', tone: 'danger' },
  failed: { label: 'Failed', tone: 'danger' },
  revoked: { label: 'Revoked', tone: 'neutral' },
  expired: { label: 'Never authorized', tone: 'neutral' },
}
