/** Another role for a member. */
import type { Member } from '@atrium/sdk'
import { useState } from 'react'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { roleLabel, rolesWithin } from './roles.ts'

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { role: own } = useScope()
  const person = usePerson()
  const toasts = useToasts()
  const isOwn = member.userId === person.id
  const [role, setRole] = useState(member.role)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, wanted: Member['role']) => atrium.workspace.members.update(member.id, { role: wanted }),
    { changes: [['members']] },
  )
  // A service account is never an owner.
  const choices = rolesWithin(own).filter(({ value }) => member.kind === 'person' || value !== 'owner')
  const save = () =>
    mutate(role, {
      onSuccess: () => {
        // Many parts of the page depend on the person's own permissions, so the whole page reloads.
        if (isOwn) return window.location.reload()
        toasts.show({ title: `${member.name} is ${roleLabel(role).toLowerCase()} now` })
        onClose()
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The role of ${member.name}`}
      description="What they may do at the most. Their keys follow it within seconds."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isPending} disabled={role === member.role} onClick={save}>
            Change the role
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Choices legend="Role" choices={choices} value={role} onChange={setRole} />
        {isOwn && role !== member.role && (
          <Notice tone="warn">This is your own role. You cannot give it back to yourself.</Notice>
        )}
        {error !== null && <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}
