/** What is connected, and what can be. */

import type { Connection } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Plug, RefreshCw, Stethoscope, Unplug } from 'lucide-react'
import { useState } from 'react'
import { usePagedQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { StateBadge } from '../../ui/badge.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable, RecordName } from '../../ui/table.tsx'
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

const pendingMs = 3_000

function Connections() {
  const mayWrite = useMay('integrations:write')
  const [ending, setEnding] = useState<Connection | null>(null)
  const connections = usePagedQuery(
    ['integrations', 'list'],
    (atrium, query, options) => atrium.integrations.list(query, options).page(),
    // A person may be authorizing it in another tab.
    { refetchInterval: data => (data?.items.some(({ status }) => status === 'pending') ? pendingMs : false) },
  )
  const actions = actionsColumn<Connection>(connection => (
    <ConnectionMenu connection={connection} onEnd={() => setEnding(connection)} />
  ))
  return (
    <Section title="Connections">
      <PagedTable
        query={connections}
        caption="Connections"
        columns={mayWrite ? [...columns, actions] : columns}
        rowKey={({ id }) => id}
        waitingRows={2}
        empty={
          <EmptyState icon={Plug} title="Nothing is connected yet">
            Choose a service of the catalog below. A connection is tested before it is kept.
          </EmptyState>
        }
      />
      {ending !== null && <DisconnectDialog connection={ending} onClose={() => setEnding(null)} />}
    </Section>
  )
}

const columns: readonly Column<Connection>[] = [
  {
    header: 'Connection',
    cell: ({ id, name, integrationId, account }) => (
      <RecordName
        to={`/integrations/${id}`}
        name={name}
        below={account === null ? integrationId : `${integrationId} · ${account.name}`}
      />
    ),
  },
  { header: 'State', cell: connection => <State connection={connection} /> },
  {
    header: 'Last sync',
    cell: ({ lastSyncAt }) => (lastSyncAt === null ? 'None yet' : <RelativeTime time={lastSyncAt} />),
  },
]

function State({ connection: { status, lastError } }: { connection: Connection }) {
  return (
    <span className="flex min-w-0 flex-col items-end gap-1 sm:items-start">
      <StateBadge {...statusWords[status]} />
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
    <ActionsMenu of={name}>
      <MenuItem icon={Stethoscope} disabled={!test.isPossible || test.isPending} onSelect={() => test.run()}>
        Test
      </MenuItem>
      <MenuItem icon={RefreshCw} onSelect={() => void navigate({ to: `/integrations/${id}/reconnect` })}>
        Reconnect…
      </MenuItem>
      <MenuItem icon={Unplug} danger onSelect={onEnd}>
        Disconnect…
      </MenuItem>
    </ActionsMenu>
  )
}
