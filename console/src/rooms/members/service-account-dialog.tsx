/** A member that is no person, for keys that must outlive people. */
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { rolesWithin } from './roles.ts'

type AccountRole = 'admin' | 'member' | 'viewer'
const isAccountRole = (role: string): role is AccountRole => role !== 'owner'

export function ServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const { role: own } = useScope()
  const toasts = useToasts()
  const [name, setName] = useState('')
  const [role, setRole] = useState<AccountRole>('member')
  const { mutate, error, isPending } = useApiMutation(
    (atrium, account: { name: string; role: AccountRole }) =>
      atrium.workspace.members.createServiceAccount(account),
    { changes: [['members'], ['overview']] },
  )
  const choices = rolesWithin(own).flatMap(({ value, ...shown }) =>
    isAccountRole(value) ? [{ value, ...shown }] : [],
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="New service account"
      description="It never signs in. Keys made for it go on working when people leave, with its role at most."
    >
      <form
        className="flex flex-col gap-5"
        onSubmit={event => {
          event.preventDefault()
          mutate(
            { name: name.trim(), role },
            {
              onSuccess: account => {
                toasts.show({ title: `${account.name} is made`, description: 'Now make a key for it.' })
                onClose()
              },
            },
          )
        }}
      >
        <Field
          label="Name"
          hint="What it is for, such as “Nightly import”."
          error={fieldErrorsOf(error).name}
        >
          <Input
            required
            maxLength={100}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Field>
        <Choices legend="Role" choices={choices} value={role} onChange={setRole} />
        {error !== null && !isToldBeside(['name'], error) && <ErrorNotice error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            Create the account
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
