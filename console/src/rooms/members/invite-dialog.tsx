/** Inviting a person by their address, and the link where no mail brings it. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useForm } from '../../api/form.ts'
import { RecordChoices, useRecords } from '../../api/records.tsx'
import { useScope } from '../../api/scope.tsx'
import type { Role } from '../../session/session-client.ts'
import { Choices } from '../../ui/choices.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextareaField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { ShownOnceDialog } from '../../ui/secrets.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { rolesWithin } from './roles.ts'

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
export function LinkDialog({ email, url, onClose }: { email: string; url: string; onClose: () => void }) {
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
