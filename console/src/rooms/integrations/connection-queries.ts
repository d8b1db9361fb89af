/** What the pages of a connection read. */
import type { Connection, ConnectionSync } from '@atrium/sdk'
import { useApiQuery } from '../../api/queries.ts'

const pendingMs = 3_000

/** The catalog is part of the server, and short: one page holds it. */
const mostEntries = 100

export const useCatalog = () =>
  useApiQuery(['integrations', 'catalog'], (atrium, options) =>
    atrium.integrations.catalog({ pageSize: mostEntries }, options).page(),
  )

/** Read again while somebody may be authorizing it in another tab. */
export const useConnection = (connectionId: string) =>
  useApiQuery(
    ['integrations', 'connections', connectionId],
    (atrium, options) => atrium.integrations.get(connectionId, options),
    { refetchInterval: (data: Connection | undefined) => (data?.status === 'pending' ? pendingMs : false) },
  )

export const isUnderWay = ({ status }: ConnectionSync): boolean => status === 'queued' || status === 'running'
