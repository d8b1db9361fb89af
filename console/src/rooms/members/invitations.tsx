/** Inviting a person by their address, and pending invitations, to send again or to revoke. */
import type { Invitation } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { RecordChoices, useRecords } from '../../api/records.tsx'
import { useScope } from '../../api/scope.tsx'
import type { Role } from '../../session/session-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Choices } from '../../ui/choices.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx'
import { TextareaField, TextField } from '../../ui/field.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ShownOnceDialog } from '../../ui/secrets.tsx'
import { actionsColumn, type Column, Table } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { roleLabel, rolesWithin } from './roles.ts'

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

type InvitationFields = { email: string; role: Role; teamIds: string[]; message: string }
const empty: InvitationFields = { email: '', role: 'member', teamIds: [], message: '' }

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: own } = useScope()
  const toasts = useToasts()
  const hasTeams = (useRecords('teams').data?.items.length ?? 0) > 0
  const { of, data, sending } = useForm({
    initial: empty,
    write: (atrium, { email, message, ...others }) =>
      atrium.workspace.members.invite(
        withoutUndefined({ ...others, email: email.trim(), message: message.trim() || undefined }),
      ),
    changes: [['invitations']],
    onDone: ({ email, acceptUrl }) => {
      if (acceptUrl != null) return
      toasts.show({ title: `${email} is invited` })
      onClose()
    },
  })
  if (data?.acceptUrl != null) {
    return <LinkDialog email={data.email} url={data.acceptUrl} onClose={onClose} />
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Invite a person"
      description="They get a link that works once, for seven days, and for this address only."
      submitLabel="Send the invitation"
      {...sending}
    >
      <TextField
        label="E-mail address"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        {...of('email')}
      />
      <Choices legend="Role" choices={rolesWithin(own)} {...of('role')} />
      {hasTeams && <RecordChoices of="teams" legend="Teams (optional)" {...of('teamIds')} />}
      <TextareaField label="Message" optional rows={2} maxLength={1000} {...of('message')} />
    </FormDialog>
  )
}

/** The link of an invitation, this once, where no mail server brings it. */
function LinkDialog({ email, url, onClose }: { email: string; url: string; onClose: () => void }) {
  return (
    <ShownOnceDialog onClose={onClose} title={`The link for ${email}`} doneLabel="Done">
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Send this link yourself">
          Atrium sends no email, and shows the link only now. Anyone with the link and this email address can
          join, so send it only to the person you invited.
        </Notice>
        <CopyField label="Link" what="link" value={url} />
      </div>
    </ShownOnceDialog>
  )
}
