/** What is connected, and what can be. */

import type { Connection } from '@atrium/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Plug, RefreshCw, Stethoscope, Unplug } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { usePagedQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, Pager, Table, TableSkeleton } from '../../ui/table.tsx'
import { Catalog } from './catalog.tsx'
import { statusWords, useConnectionTest } from './connections.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'

export function Room() {
  return (
    <Page
      title="Integrations"
      description="Services that this workspace is connected to. Their secrets are stored encrypted and never shown."
    >
      <Connections />
      <Catalog />
    </Page>
  )
}

const pageSize = 20
const pendingMs = 3_000

/** What is connected: in what state, tested and ended here. */
function Connections() {
  const mayWrite = useMay('integrations:write')
  const [ending, setEnding] = useState<Connection | null>(null)
  const connections = usePagedQuery(
    ['integrations', 'list'],
    (atrium, query, options) => atrium.integrations.list(query, options).page(),
    // Somebody may be authorizing it in another tab.
    { refetchInterval: data => (data?.items.some(({ status }) => status === 'pending') ? pendingMs : false) },
  )
  const actions: Column<Connection> = {
    header: 'Actions',
    headerHidden: true,
    align: 'end',
    cell: connection => <ConnectionMenu connection={connection} onEnd={() => setEnding(connection)} />,
  }
  return (
    <section aria-labelledby="connections" className="flex min-w-0 flex-col gap-4">
      <h2 id="connections" className="text-[15px] font-semibold">
        Connections
      </h2>
      <Loaded query={connections} waiting={<TableSkeleton rows={2} />}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState icon={Plug} title="Nothing is connected yet">
              Choose a service of the catalog below. A connection is tested before it is kept.
            </EmptyState>
          ) : (
            <>
              <Table
                caption="Connections"
                columns={mayWrite ? [...columns, actions] : columns}
                rows={items}
                rowKey={({ id }) => id}
              />
              <Pager page={connections.page} pageSize={pageSize} total={total} onPage={connections.setPage} />
            </>
          )
        }
      </Loaded>
      {ending !== null && <DisconnectDialog connection={ending} onClose={() => setEnding(null)} />}
    </section>
  )
}

const columns: readonly Column<Connection>[] = [
  {
    header: 'Connection',
    cell: ({ id, name, integrationId, account }) => (
      <>
        <Link
          to="/integrations/$connectionId"
          params={{ connectionId: id }}
          className="block font-medium hover:underline"
        >
          {name}
        </Link>
        <span className="block text-[13px] break-words text-muted">
          {integrationId}
          {account !== null && ` · ${account.name}`}
        </span>
      </>
    ),
  },
  { header: 'State', cell: connection => <State connection={connection} /> },
  {
    header: 'Last sync',
    cell: ({ lastSyncAt }) => (lastSyncAt === null ? 'None yet' : <RelativeTime time={lastSyncAt} />),
  },
]

function State({ connection: { status, lastError } }: { connection: Connection }) {
  const { label, tone } = statusWords[status]
  return (
    <span className="flex min-w-0 flex-col items-end gap-1 sm:items-start">
      <Badge tone={tone} dot>
        {label}
      </Badge>
      {lastError !== null && (
        <span className="text-right text-[13px] break-words text-muted sm:text-left">
          {lastError.message}
        </span>
      )}
    </span>
  )
}

function ConnectionMenu({ connection, onEnd }: { connection: Connection; onEnd: () => void }) {
  const { id, name } = connection
  const navigate = useNavigate()
  const test = useConnectionTest(connection)
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} size="small" />}>
      <MenuItem icon={Stethoscope} disabled={!test.isPossible || test.isPending} onSelect={test.run}>
        Test
      </MenuItem>
      <MenuItem icon={RefreshCw} onSelect={() => void navigate({ to: `/integrations/${id}/reconnect` })}>
        Reconnect…
      </MenuItem>
      <MenuItem icon={Unplug} danger onSelect={onEnd}>
        Disconnect…
      </MenuItem>
    </Menu>
  )
}
