/** The list of keys, and what can be done with each. */

import type { ApiKey } from '@atrium/sdk'
import { KeyRound, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { usePagedQuery } from '../../api/queries.ts'
import { useMemberNames } from '../../api/records.tsx'
import { useMay, useScope } from '../../api/scope.tsx'
import { Badge, type BadgeState, StateBadge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count, formatDate } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RotateDialog, ShownOnceDialog } from '../../ui/secrets.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { summarise } from './permissions.tsx'
import { ShownOnce } from './shown-once.tsx'

export function Room() {
  const { environment } = useScope()
  const mayWrite = useMay('keys:write')
  const keys = usePagedQuery(['api-keys'], (atrium, query, options) => atrium.apiKeys.list(query, options))
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const close = () => setOpenDialog(null)
  const actions = actionsColumn<ApiKey>(
    key =>
      key.status !== 'revoked' && (
        <KeyMenu apiKey={key} onOpenDialog={kind => setOpenDialog({ kind, key })} />
      ),
  )
  const create = mayWrite && (
    <ButtonLink to="/settings/api-keys/new" variant="primary" icon={Plus}>
      Create a key
    </ButtonLink>
  )
  return (
    <Page
      title="API keys"
      description={
        environment === 'test'
          ? 'By a key, a program uses this workspace. Keys made here reach the sandbox only.'
          : 'By a key, a program uses this workspace: for the person who made it, and never with more rights than they have.'
      }
      actions={create}
    >
      <PagedTable
        query={keys}
        caption="API keys"
        columns={mayWrite ? [...columns, actions] : columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={create}>
            Make one for each program: then you see what each of them does, and can stop one without the
            others.
          </EmptyState>
        }
      />
      {openDialog?.kind === 'rotate' && <RotateKey apiKey={openDialog.key} onClose={close} />}
      {openDialog?.kind === 'revoke' && <RevokeDialog apiKey={openDialog.key} onClose={close} />}
    </Page>
  )
}

type OpenDialog = { kind: 'rotate' | 'revoke'; key: ApiKey }

const columns: readonly Column<ApiKey>[] = [
  {
    header: 'Name',
    cell: key => <Name apiKey={key} />,
  },
  { header: 'State', cell: key => <State apiKey={key} /> },
  { header: 'May', cell: key => <Permissions apiKey={key} /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => <RelativeTime time={lastUsedAt} />,
  },
  {
    header: 'Ends',
    cell: ({ expiresAt }) =>
      expiresAt === null ? <span className="text-muted">Never</span> : <span>{formatDate(expiresAt)}</span>,
  },
]

function Name({ apiKey: { name, hint, userId, app } }: { apiKey: ApiKey }) {
  const holder = useMemberNames().get(userId)
  return (
    <>
      <span dir="auto" className="block font-medium">
        {name}
      </span>
      <span className="block text-[12px] text-muted">
        <span className="font-mono">{app === null ? hint : app.host || app.clientId}</span>
        {holder !== undefined &&
          ` · for ${holder.name}${holder.kind === 'service' ? ' (service account)' : ''}`}
      </span>
    </>
  )
}

const states: Readonly<Record<ApiKey['status'], BadgeState>> = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'danger' },
}

function State({ apiKey: { status, environment, app } }: { apiKey: ApiKey }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={environment === 'test' ? 'warn' : 'accent'}>
        {environment === 'test' ? 'Test' : 'Live'}
      </Badge>
      <StateBadge {...states[status]} />
      {app !== null && <Badge>App</Badge>}
    </span>
  )
}

function Permissions({ apiKey: { permissions, agentIds, collectionIds, filter } }: { apiKey: ApiKey }) {
  const narrowing = [
    agentIds === null ? null : count(agentIds.length, 'agent'),
    collectionIds === null ? null : count(collectionIds.length, 'collection'),
    filter === null ? null : 'documents that match its filter',
  ].filter(part => part !== null)
  return (
    <span className="min-w-0 text-right sm:text-left">
      <Tooltip text={summarise(permissions)}>
        <button type="button" className="rounded-sm underline decoration-dotted underline-offset-3">
          {count(permissions.length, 'permission')}
        </button>
      </Tooltip>
      {narrowing.length > 0 && (
        <span className="block text-[12px] text-muted">only {narrowing.join(' and ')}</span>
      )}
    </span>
  )
}

type KeyMenuProps = { apiKey: ApiKey; onOpenDialog: (kind: OpenDialog['kind']) => void }

function KeyMenu({ apiKey, onOpenDialog }: KeyMenuProps) {
  return (
    <ActionsMenu of={apiKey.name}>
      {apiKey.app === null && (
        <MenuItem icon={RefreshCw} onSelect={() => onOpenDialog('rotate')}>
          Rotate…
        </MenuItem>
      )}
      <MenuItem icon={Trash2} danger onSelect={() => onOpenDialog('revoke')}>
        Revoke…
      </MenuItem>
    </ActionsMenu>
  )
}

/** A new secret for a key, while the old one lives on for as long as a program needs to change over. */
function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <RotateDialog
      onClose={onClose}
      title={`Rotate “${apiKey.name}”?`}
      description="The key gets a new secret. Its name, permissions and limits stay."
      hint="Long enough to put the new one into every program that uses it."
      rotate={(atrium, rotation) => atrium.apiKeys.rotate(apiKey.id, rotation)}
      changes={[['api-keys']]}
      shown={rotated => (
        <ShownOnceDialog onClose={onClose} title={`The new secret of “${apiKey.name}”`}>
          <ShownOnce apiKey={rotated} secret={rotated.key ?? ''} />
        </ShownOnceDialog>
      )}
    />
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke the key"
      onConfirm={atrium => atrium.apiKeys.revoke(apiKey.id)}
      changes={[['api-keys'], ['overview']]}
      done={`“${apiKey.name}” is revoked`}
    >
      <p>
        Every program that uses <code className="font-mono text-[13px] text-ink">{apiKey.hint}</code> is
        refused within ten seconds, also in the middle of a stream. This cannot be taken back.
      </p>
      <p>
        {apiKey.lastUsedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used{' '}
            <strong className="text-ink">
              <RelativeTime time={apiKey.lastUsedAt} />
            </strong>
            .{' '}
            {apiKey.app === null &&
              'If a program still needs it, rotate the key instead: then the old secret lives on for a while.'}
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}
