/** Who one is here, how one signs in, and where one is signed in. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { usePerson, useRefreshSession } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, PasswordInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { changeName, changePassword } from './account-client.ts'
import { SecondFactorCard } from './second-factor.tsx'
import { SessionsCard, sessionsKey } from './sessions.tsx'

export function Room() {
  const person = usePerson()
  return (
    <Page narrow title="Your account" description={`${person.email}, the same in all of your workspaces.`}>
      <NameCard key={person.name} name={person.name} />
      <PasswordCard />
      <SecondFactorCard isOn={person.twoFactorEnabled} />
      <SessionsCard />
    </Page>
  )
}

/** What others see one by. */
function NameCard({ name: present }: { name: string }) {
  const toasts = useToasts()
  const refresh = useRefreshSession()
  const [name, setName] = useState(present)
  const { mutate, error, isPending } = useMutation({
    mutationFn: changeName,
    onSuccess: async () => {
      toasts.show({ title: 'Your name is changed' })
      await refresh()
    },
  })
  return (
    <Card title="Name">
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          mutate(name.trim())
        }}
      >
        <Field label="Your name" hint="Members of your workspaces see it." error={fieldErrorsOf(error).name}>
          <Input
            required
            maxLength={200}
            autoComplete="name"
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Field>
        {error !== null && !isToldBeside(['name'], error) && <ErrorNotice error={error} />}
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={isPending}
            disabled={name.trim() === '' || name.trim() === present}
          >
            Save your name
          </Button>
        </div>
      </form>
    </Card>
  )
}

const empty = { present: '', wanted: '' }

/** Another password, by the present one. */
function PasswordCard() {
  const { email } = usePerson()
  const toasts = useToasts()
  const client = useQueryClient()
  const [passwords, setPasswords] = useState(empty)
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ present, wanted }: typeof empty) => changePassword(present, wanted),
    onSuccess: async () => {
      setPasswords(empty)
      toasts.show({ title: 'Your password is changed', description: 'All your other sessions have ended.' })
      await client.invalidateQueries({ queryKey: sessionsKey })
    },
  })
  const fieldErrors = fieldErrorsOf(error)
  const isTold = isToldBeside(['password', 'currentPassword', 'newPassword'], error)
  return (
    <Card title="Password" description="A new one ends every other session of yours.">
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          mutate(passwords)
        }}
      >
        {/* Password managers ask for whom it is. */}
        <input type="hidden" autoComplete="username" value={email} />
        <Field label="Present password" error={fieldErrors.currentPassword ?? fieldErrors.password}>
          <PasswordInput
            required
            autoComplete="current-password"
            value={passwords.present}
            onChange={event => setPasswords({ ...passwords, present: event.currentTarget.value })}
          />
        </Field>
        <Field
          label="New password"
          hint="At least 10 characters. A few words in a row are easy to keep and hard to guess."
          error={fieldErrors.newPassword}
        >
          <PasswordInput
            required
            minLength={10}
            maxLength={128}
            autoComplete="new-password"
            value={passwords.wanted}
            onChange={event => setPasswords({ ...passwords, wanted: event.currentTarget.value })}
          />
        </Field>
        {error !== null && !isTold && <ErrorNotice error={error} />}
        <div>
          <Button type="submit" variant="primary" busy={isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  )
}
