/** Who belongs to the workspace, who is invited, and who is no person. */
import { Bot, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Invitations, InviteDialog } from './invitations.tsx'
import { MemberTable } from './member-table.tsx'
import { rolesWithin } from './roles.ts'

export function Room() {
  const { environment } = useScope()
  const mayWrite = useMay('members:write')
  const [open, setOpen] = useState<'invite' | 'service-account' | null>(null)
  const close = () => setOpen(null)
  const isLive = environment === 'live'
  return (
    <Page
      title="Members"
      description="People, each with a role, and accounts for keys that outlive them."
      actions={
        mayWrite && (
          <>
            {isLive && (
              <Button icon={Bot} onClick={() => setOpen('service-account')}>
                Add a service account
              </Button>
            )}
            <Button variant="primary" icon={UserPlus} onClick={() => setOpen('invite')}>
              Invite a person
            </Button>
          </>
        )
      }
    >
      {mayWrite && !isLive && (
        <Notice title="You are in the sandbox">
          The members are the real ones, and can be changed in the live environment only. Whom you invite here
          gets no mail and becomes no member.
        </Notice>
      )}
      <MemberTable mayWrite={mayWrite && isLive} />
      <Invitations mayWrite={mayWrite} />
      {mayWrite && open === 'invite' && <InviteDialog onClose={close} />}
      {mayWrite && isLive && open === 'service-account' && <ServiceAccountDialog onClose={close} />}
    </Page>
  )
}

type AccountRole = 'admin' | 'member' | 'viewer'
const isAccountRole = (role: string): role is AccountRole => role !== 'owner'
const emptyAccount: { name: string; role: AccountRole } = { name: '', role: 'member' }

/** A member that is no person, for keys that must outlive people. */
function ServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const { role: own } = useScope()
  const { of, sending } = useForm({
    initial: emptyAccount,
    write: (atrium, { name, role }) =>
      atrium.workspace.members.createServiceAccount({ name: name.trim(), role }),
    changes: [['members'], ['overview']],
    done: ({ name }) => ({ title: `${name} is made`, description: 'Now make a key for it.' }),
    onDone: onClose,
  })
  const choices = rolesWithin(own).flatMap(({ value, ...shown }) =>
    isAccountRole(value) ? [{ value, ...shown }] : [],
  )
  return (
    <FormDialog
      onClose={onClose}
      title="New service account"
      description="It never signs in. Keys made for it go on working when people leave, with its role at most."
      submitLabel="Create the account"
      {...sending}
    >
      <TextField
        label="Name"
        hint="What it is for, such as “Nightly import”."
        required
        maxLength={100}
        {...of('name')}
      />
      <Choices legend="Role" choices={choices} {...of('role')} />
    </FormDialog>
  )
}
