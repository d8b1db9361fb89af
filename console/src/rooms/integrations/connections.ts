/** What the pages of connections read, test and call things. */
import type { Connection, ConnectionSync, Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import type { BadgeState } from '../../ui/badge.tsx'
import type { Toast } from '../../ui/toast.tsx'

const pendingMs = 3_000

/** The catalog is part of the server, and short: one page holds it. */
const mostEntries = 100

export const useCatalog = () =>
  useApiQuery(['integrations', 'catalog'], (atrium, options) =>
    atrium.integrations.catalog({ pageSize: mostEntries }, options).page(),
  )

/** Read again while a person may be authorizing it in another tab. */
export const useConnection = (connectionId: string) =>
  useApiQuery(
    ['integrations', 'connections', connectionId],
    (atrium, options) => atrium.integrations.get(connectionId, options),
    { refetchInterval: (data: Connection | undefined) => (data?.status === 'pending' ? pendingMs : false) },
  )

export const isUnderWay = ({ status }: ConnectionSync): boolean => status === 'queued' || status === 'running'

export function useConnectionTest({ id, name, status }: Connection) {
  const action = useApiAction(atrium => atrium.integrations.test(id), {
    changes: [['integrations']],
    done: ({ ok, error }) =>
      ok
        ? { title: `“${name}” works` }
        : withoutUndefined<Toast>({
            title: `“${name}” does not work`,
            tone: 'danger',
            description: error ? error.message : undefined,
          }),
  })
  /** What never was connected has nothing to be tested. */
  return { ...action, isPossible: status === 'active' || status === 'needs_reauth' }
}

export const authWords: Readonly<Record<Integration['auth'], string>> = {
  oauth2: 'By authorization',
  api_key: 'By a key',
  basic: 'By a password',
  none: 'Open to all',
  mcp: 'As the server asks',
  headers: 'By secret headers',
}

export const statusWords: Readonly<Record<Connection['status'], BadgeState>> = {
  pending: { label: 'Waits for the authorization', tone: 'warn' },
  active: { label: 'Connected', tone: 'good' },
  needs_reauth: { label: 'Needs to be reconnected', tone: 'danger' },
  failed: { label: 'Failed', tone: 'danger' },
  revoked: { label: 'Revoked', tone: 'neutral' },
  expired: { label: 'Never authorized', tone: 'neutral' },
}
