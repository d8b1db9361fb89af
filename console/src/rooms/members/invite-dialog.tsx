/** Inviting a person by their address, and the link where no mail brings it. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
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

type NewInvitation = { email: string; role: Role; teamIds: string[]; message?: string }

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: own } = useScope()
  const toasts = useToasts()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [teamIds, setTeamIds] = useState<string[]>([])
  const [message, setMessage] = useState('')
  const hasTeams = (useRecords('teams').data?.items.length ?? 0) > 0
  const { mutate, data, error, isPending } = useApiMutation(
    (atrium, invitation: NewInvitation) => atrium.workspace.members.invite(invitation),
    { changes: [['invitations']] },
  )
  if (data?.acceptUrl != null) {
    return <LinkDialog email={data.email} url={data.acceptUrl} onClose={onClose} />
  }
  const send = () =>
    mutate(withoutUndefined({ email: email.trim(), role, teamIds, message: message.trim() || undefined }), {
      onSuccess: ({ email: invited, acceptUrl }) => {
        if (acceptUrl != null) return
        toasts.show({ title: `${invited} is invited` })
        onClose()
      },
    })
  const fieldErrors = fieldErrorsOf(error)
  return (
    <FormDialog
      onClose={onClose}
      title="Invite a person"
      description="They get a link that works once, for seven days, and for this address only."
      submitLabel="Send the invitation"
      busy={isPending}
      error={error}
      beside={['email', 'message']}
      onSubmit={send}
    >
      <TextField
        label="E-mail address"
        error={fieldErrors.email}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={setEmail}
      />
      <Choices legend="Role" choices={rolesWithin(own)} value={role} onChange={setRole} />
      {hasTeams && <RecordChoices of="teams" legend="Teams (optional)" ids={teamIds} onChange={setTeamIds} />}
      <TextareaField
        label="Message"
        optional
        error={fieldErrors.message}
        rows={2}
        maxLength={1000}
        value={message}
        onChange={setMessage}
      />
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
