/** One connection: whether it works, what it is set to, and how its service is kept in sync. */

import type { Connection, Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, RefreshCw, Stethoscope, Unplug } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useMay } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { statusWords, useCatalog, useConnection, useConnectionTest } from './connections.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { RemoteTools } from './remote-tools.tsx'
import { fieldsOf, initialOf, SchemaFields, valuesOf } from './schema-fields.tsx'
import { SyncCard, Syncs } from './syncs.tsx'

type OpenDialog = 'settings' | 'disconnect'

export function Room() {
  const connectionId = useRoomParam('connectionId')
  const mayWrite = useMay('integrations:write')
  const navigate = useNavigate()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const connection = useConnection(connectionId)
  const catalog = useCatalog()
  const entry = catalog.data?.items.find(({ id }) => id === connection.data?.integrationId)
  const close = () => setOpenDialog(null)
  const shown = connection.data
  return (
    <Page
      title={<span className="break-words">{shown?.name ?? 'Connection'}</span>}
      description={entry?.description}
      back={{ to: '/integrations', label: 'Integrations' }}
      actions={mayWrite && shown !== undefined && <Actions connection={shown} onOpenDialog={setOpenDialog} />}
    >
      <Loaded query={connection}>
        {found => (
          <>
            <Troubles connection={found} />
            <Card>
              <ConnectionFacts connection={found} entry={entry} />
            </Card>
            {entry?.capabilities.includes('sync') === true && (
              <>
                <SyncCard key={JSON.stringify(found.sync)} connection={found} />
                <Syncs connection={found} />
              </>
            )}
            {entry?.id === 'mcp' && <RemoteTools connection={found} />}
            {openDialog === 'settings' && entry !== undefined && (
              <SettingsDialog connection={found} entry={entry} onClose={close} />
            )}
            {openDialog === 'disconnect' && (
              <DisconnectDialog
                connection={found}
                onClose={close}
                onEnded={() => void navigate({ to: '/integrations' })}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

type ActionsProps = { connection: Connection; onOpenDialog: (openDialog: OpenDialog) => void }

function Actions({ connection, onOpenDialog }: ActionsProps) {
  const navigate = useNavigate()
  const test = useConnectionTest(connection)
  return (
    <>
      <Button icon={Stethoscope} busy={test.isPending} disabled={!test.isPossible} onClick={() => test.run()}>
        Test
      </Button>
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" />}>
        <MenuItem icon={Pencil} onSelect={() => onOpenDialog('settings')}>
          Settings…
        </MenuItem>
        <MenuItem
          icon={RefreshCw}
          onSelect={() => void navigate({ to: `/integrations/${connection.id}/reconnect` })}
        >
          Reconnect…
        </MenuItem>
        <MenuItem icon={Unplug} danger onSelect={() => onOpenDialog('disconnect')}>
          Disconnect…
        </MenuItem>
      </Menu>
    </>
  )
}

function Troubles({ connection: { id, status, lastError } }: { connection: Connection }) {
  if (status === 'active' && lastError === null) return null
  const { label, tone } = statusWords[status]
  const isOver = status !== 'active' && status !== 'pending'
  return (
    <Notice
      tone={tone === 'danger' ? 'danger' : 'warn'}
      title={status === 'active' ? 'The last attempt failed' : label}
      action={
        isOver && (
          <ButtonLink to={`/integrations/${id}/reconnect`} size="small">
            Reconnect
          </ButtonLink>
        )
      }
    >
      {lastError?.message ??
        (status === 'pending' ? 'Grant access at the service to finish connecting.' : '')}
    </Notice>
  )
}

type ConnectionFactsProps = { connection: Connection; entry: Integration | undefined }

function ConnectionFacts({ connection, entry }: ConnectionFactsProps) {
  const { status, account, createdAt, integrationId } = connection
  const service = entry?.name ?? integrationId
  return (
    <Facts
      facts={[
        { name: 'State', value: <StateBadge {...statusWords[status]} /> },
        { name: 'Service', value: account === null ? service : `${service} · ${account.name}` },
        { name: 'Granted', value: grantOf(connection, entry) },
        { name: 'Made', value: <RelativeTime time={createdAt} /> },
      ]}
    />
  )
}

function grantOf({ scopes }: Connection, entry: Integration | undefined): string {
  if (scopes.length > 0) return scopes.join(', ')
  if (entry?.auth === 'mcp') return 'What the server allows'
  return entry?.auth === 'none' ? 'Nothing is needed' : 'What its key may'
}

type SettingsDialogProps = { connection: Connection; entry: Integration; onClose: () => void }

function SettingsDialog({ connection, entry, onClose }: SettingsDialogProps) {
  const inputs = fieldsOf(entry.configSchema)
  const before = initialOf(inputs, connection.config)
  const { of, errors, sending } = useForm({
    initial: { name: connection.name, config: before },
    write: ({ integrations }, { name, config }) => {
      const isSame = JSON.stringify(before) === JSON.stringify(config)
      const changed = isSame ? undefined : valuesOf(inputs, config)
      return integrations.update(connection.id, withoutUndefined({ name: name.trim(), config: changed }))
    },
    changes: [['integrations']],
    done: () => ({ title: 'The connection is changed' }),
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Connection settings"
      description={
        inputs.length === 0 ? undefined : 'If you change the settings, the next sync is a full sync.'
      }
      submitLabel="Save"
      {...sending}
      beside={Object.keys(errors)}
    >
      <TextField label="Name" required maxLength={200} {...of('name')} />
      <SchemaFields fields={inputs} {...of('config')} within="config" errors={errors} />
    </FormDialog>
  )
}
