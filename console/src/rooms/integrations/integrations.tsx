/** What is connected, and what can be. */
import type { Connection, Integration } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, Plug, RefreshCw, Stethoscope, Unplug } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable, RecordName } from '../../ui/table.tsx'
import { canBeOpened } from './access.tsx'
import { authWords, statusWords, useCatalog, useConnectionTest } from './connections.ts'
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
    (atrium, query, options) => atrium.integrations.list(query, options),
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

function Catalog() {
  const [wanted, setWanted] = useState('')
  const catalog = useCatalog()
  return (
    <Section
      title="Catalog"
      actions={
        <div className="w-full sm:w-72">
          <TextField
            label="Find a service"
            labelHidden
            type="search"
            placeholder="Find a service…"
            value={wanted}
            onChange={setWanted}
          />
        </div>
      }
    >
      <Loaded query={catalog}>
        {({ items }) => {
          const found = items.filter(entry => isAbout(entry, wanted))
          return found.length === 0 ? (
            <p className="text-muted">
              No service is called that. Any HTTP API with a key can be connected by “HTTP API”.
            </p>
          ) : (
            <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {found.map(entry => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

const isAbout = ({ name, description, category }: Integration, wanted: string): boolean =>
  `${name} ${description} ${category}`.toLowerCase().includes(wanted.trim().toLowerCase())

function Entry({ entry }: { entry: Integration }) {
  const mayWrite = useMay('integrations:write')
  const { environment } = useScope()
  const [isSetting, setSetting] = useState(false)
  const { id, name, description, auth, configured, documentationUrl } = entry
  const isTest = environment === 'test'
  // The sandbox contacts no service, so it needs no OAuth client.
  const canConnect = canBeOpened(entry, isTest)
  const needsClient = auth === 'oauth2' && !configured && !isTest
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 dir="auto" className="font-semibold break-words">
          {name}
        </h3>
        <Badge>{authWords[auth]}</Badge>
      </div>
      <p dir="auto" className="flex-1 text-muted">
        {description}
      </p>
      {needsClient && (
        <p className="text-[13px] text-warn-text">
          {canConnect
            ? 'Connect with an API key, or set up an OAuth client first.'
            : 'Set up an OAuth client before you connect.'}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {mayWrite && canConnect && (
          <ButtonLink to="/integrations/connect/$integrationId" params={{ integrationId: id }} size="small">
            Connect {name}
          </ButtonLink>
        )}
        {mayWrite && needsClient && (
          <Button size="small" variant="ghost" onClick={() => setSetting(true)}>
            Set up {name}
          </Button>
        )}
        {documentationUrl !== null && (
          <a
            href={documentationUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-[13px] text-accent-text hover:underline"
          >
            About {name}
            <ExternalLink aria-hidden size={14} />
          </a>
        )}
      </div>
      {isSetting && <ClientDialog entry={entry} onClose={() => setSetting(false)} />}
    </li>
  )
}

type ClientDialogProps = { entry: Integration; onClose: () => void }

/** The OAuth client by which a service knows this workspace: made there by hand, kept here encrypted. */
function ClientDialog({ entry: { id, name }, onClose }: ClientDialogProps) {
  const client = useApiQuery(['integrations', 'clients', id], (atrium, options) =>
    atrium.integrations.clients.get(id, options),
  )
  const { of, sending } = useForm({
    initial: { clientId: '', clientSecret: '' },
    write: (atrium, wanted) => atrium.integrations.clients.set(id, wanted),
    changes: [['integrations']],
    done: () => ({ title: `${name} can be connected` }),
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`The OAuth client for ${name}`}
      description={`Make an application at ${name}, and copy its id and secret here.`}
      submitLabel="Save"
      {...sending}
    >
      <Loaded query={client}>
        {({ redirectUrl }) => <CopyField label="Redirect address to register there" value={redirectUrl} />}
      </Loaded>
      <TextField label="Client ID" required maxLength={1_024} autoComplete="off" {...of('clientId')} />
      <TextField
        label="Client secret"
        hint="Stored encrypted and never shown again."
        secret
        required
        maxLength={4_096}
        autoComplete="new-password"
        {...of('clientSecret')}
      />
    </FormDialog>
  )
}
