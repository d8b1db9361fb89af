/** Inviting a person by their address, and the link where no mail brings it. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import type { Role } from '../../session/session-client.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Choices } from '../../ui/choices.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { rolesWithin } from './roles.ts'
import { useTeams } from './team-names.ts'

type Wanted = { email: string; role: Role; teamIds: string[]; message?: string }

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const toasts = useToasts()
  const { mutate, data, error, isPending } = useApiMutation(
    (atrium, wanted: Wanted) => atrium.workspace.members.invite(wanted),
    { changes: [['invitations']] },
  )
  if (data?.acceptUrl != null) {
    return <LinkDialog email={data.email} url={data.acceptUrl} onClose={onClose} />
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite a person"
      description="They get a link that works once, for seven days, and for this address only."
    >
      <InviteForm
        error={error}
        busy={isPending}
        onCancel={onClose}
        onSend={wanted =>
          mutate(wanted, {
            onSuccess: ({ email, acceptUrl }) => {
              if (acceptUrl != null) return
              toasts.show({ title: `${email} is invited` })
              onClose()
            },
          })
        }
      />
    </Dialog>
  )
}

type FormProps = { error: unknown; busy: boolean; onCancel: () => void; onSend: (wanted: Wanted) => void }

function InviteForm({ error, busy, onCancel, onSend }: FormProps) {
  const { role: own } = useScope()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [teamIds, setTeamIds] = useState<readonly string[]>([])
  const [message, setMessage] = useState('')
  const fieldErrors = fieldErrorsOf(error)
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={event => {
        event.preventDefault()
        const words = message.trim()
        onSend(
          withoutUndefined({
            email: email.trim(),
            role,
            teamIds: [...teamIds],
            message: words !== '' ? words : undefined,
          }),
        )
      }}
    >
      <Field label="E-mail address" error={fieldErrors.email}>
        <Input
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
      </Field>
      <Choices legend="Role" choices={rolesWithin(own)} value={role} onChange={setRole} />
      <TeamChoice chosen={teamIds} onChange={setTeamIds} />
      <Field label="Message" optional error={fieldErrors.message}>
        <Textarea
          rows={2}
          maxLength={1000}
          value={message}
          onChange={event => setMessage(event.currentTarget.value)}
        />
      </Field>
      {error !== null && !isToldBeside(['email', 'message'], error) && <ErrorNotice error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          Send the invitation
        </Button>
      </div>
    </form>
  )
}

type TeamChoiceProps = { chosen: readonly string[]; onChange: (teamIds: readonly string[]) => void }

/** Nothing where there are no teams. */
function TeamChoice({ chosen, onChange }: TeamChoiceProps) {
  const { data } = useTeams()
  if (data === undefined || data.items.length === 0) return null
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">
        Teams<span className="font-normal text-muted"> (optional)</span>
      </legend>
      <div className="flex max-h-40 flex-col gap-2 overflow-y-auto rounded-md border p-3">
        {data.items.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={on => onChange(on ? [...chosen, id] : chosen.filter(other => other !== id))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** The link of an invitation, this once, where no mail server brings it. */
export function LinkDialog({ email, url, onClose }: { email: string; url: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={false}
      title={`The link for ${email}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Send this link yourself">
          Atrium sends no email, and shows the link only now. Anyone with the link and this email address can
          join, so send it only to the person you invited.
        </Notice>
        <CopyField label="Link" what="link" value={url} />
      </div>
    </Dialog>
  )
}
