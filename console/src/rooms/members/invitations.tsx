/** Pending invitations, to send again or to revoke. */

import type { Invitation } from '@atrium/sdk'
import { Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, Table } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { LinkDialog } from './invite-dialog.tsx'
import { roleLabel } from './roles.ts'

/** Members and pending invitations count against the plan together, so more than this are rare; the newest are shown. */
const mostShown = 100

export function Invitations({ mayWrite }: { mayWrite: boolean }) {
  const invitations = useApiQuery(['invitations', 'pending'], (atrium, options) =>
    atrium.workspace.invitations.list({ status: 'pending', pageSize: mostShown }, options).page(),
  )
  return (
    <Section title="Pending invitations">
      <Loaded query={invitations} waiting={null}>
        {({ items, total }) => (
          <>
            {items.length === 0 ? (
              <p className="text-muted">No pending invitations.</p>
            ) : (
              <InvitationTable invitations={items} mayWrite={mayWrite} />
            )}
            {total > items.length && (
              <p className="text-muted">
                The newest {items.length} of {total} are shown.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const columns: readonly Column<Invitation>[] = [
  {
    header: 'Address',
    cell: ({ email }) => <span className="font-medium break-all">{email}</span>,
  },
  { header: 'Role', cell: ({ role }) => roleLabel(role) },
  { header: 'Mail', cell: invitation => <Delivery invitation={invitation} /> },
  { header: 'Ends', cell: ({ expiresAt }) => <RelativeTime time={expiresAt} /> },
]

const deliveries: Record<Invitation['delivery'], string> = {
  queued: 'On its way',
  sent: 'Sent',
  failed: 'Failed',
  link: 'By link',
  simulated: 'Simulated',
}

function Delivery({ invitation: { delivery, deliveryError } }: { invitation: Invitation }) {
  return (
    <span className="min-w-0 text-right sm:text-left">
      <Badge tone={delivery === 'failed' ? 'danger' : delivery === 'sent' ? 'good' : 'neutral'}>
        {deliveries[delivery]}
      </Badge>
      {deliveryError !== null && (
        <span className="mt-1 block text-[12px] break-words text-danger-text">{deliveryError}</span>
      )}
    </span>
  )
}

type TableProps = { invitations: readonly Invitation[]; mayWrite: boolean }

function InvitationTable({ invitations, mayWrite }: TableProps) {
  const [revoked, setRevoked] = useState<Invitation | null>(null)
  const toasts = useToasts()
  const resend = useApiMutation((atrium, id: string) => atrium.workspace.invitations.resend(id), {
    changes: [['invitations']],
  })
  const send = (id: string) =>
    resend.mutate(id, {
      onSuccess: ({ email, acceptUrl }) => {
        if (acceptUrl == null) {
          toasts.show({ title: `${email} is invited again`, description: 'The earlier link is dead.' })
        }
      },
      onError: toasts.fail,
    })
  const actions = actionsColumn<Invitation>(invitation => (
    <ActionsMenu of={invitation.email}>
      <MenuItem icon={Send} onSelect={() => send(invitation.id)}>
        {invitation.delivery === 'link' ? 'Make a new link' : 'Send it again'}
      </MenuItem>
      <MenuItem icon={Trash2} danger onSelect={() => setRevoked(invitation)}>
        Revoke…
      </MenuItem>
    </ActionsMenu>
  ))
  const { data } = resend
  return (
    <>
      <Table
        caption="Pending invitations"
        columns={mayWrite ? [...columns, actions] : columns}
        rows={invitations}
        rowKey={({ id }) => id}
      />
      {data?.acceptUrl != null && (
        <LinkDialog email={data.email} url={data.acceptUrl} onClose={resend.reset} />
      )}
      {revoked !== null && <RevokeDialog invitation={revoked} onClose={() => setRevoked(null)} />}
    </>
  )
}

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Revoke the invitation of ${invitation.email}?`}
      confirmLabel="Revoke the invitation"
      onConfirm={atrium => atrium.workspace.invitations.revoke(invitation.id)}
      changes={[['invitations']]}
      done={`The invitation of ${invitation.email} is revoked`}
    >
      <p>Its link stops working at once. You can invite the person again.</p>
    </ConfirmDialog>
  )
}
