/** Who one is here, how one signs in, and where one is signed in. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useForm } from '../../api/form.ts'
import { useReadAgain } from '../../api/queries.ts'
import { changeName, changePassword, disconnectAllApps } from '../../session/session-client.ts'
import { usePerson, useRefreshSession } from '../../session/use-session.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { NewPasswordField, TextField } from '../../ui/field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { SecondFactorCard } from './second-factor.tsx'
import { AppsCard, appsKey, SessionsCard, sessionsKey } from './sessions.tsx'

export function Room() {
  const person = usePerson()
  return (
    <Page narrow title="Your account" description={`${person.email}, the same in all of your workspaces.`}>
      <NameCard key={person.name} name={person.name} />
      <PasswordCard />
      <SecondFactorCard isOn={person.twoFactorEnabled} />
      <SessionsCard />
      <AppsCard />
    </Page>
  )
}

/** What others see one by. */
function NameCard({ name: present }: { name: string }) {
  const refresh = useRefreshSession()
  const { fields, of, sending } = useForm({
    initial: { name: present },
    write: (_, { name }) => changeName(name.trim()),
    done: () => ({ title: 'Your name is changed' }),
    onDone: refresh,
  })
  const name = fields.name.trim()
  return (
    <Card title="Name">
      <SaveForm submitLabel="Save your name" disabled={name === '' || name === present} {...sending}>
        <TextField
          label="Your name"
          hint="Members of your workspaces see it."
          required
          maxLength={200}
          autoComplete="name"
          {...of('name')}
        />
      </SaveForm>
    </Card>
  )
}

const empty = { present: '', wanted: '', endsApps: false }

function PasswordCard() {
  const { email } = usePerson()
  const toasts = useToasts()
  const readAgain = useReadAgain()
  const [passwords, setPasswords] = useState(empty)
  const appsEnded = () => toasts.show({ title: 'Your apps are disconnected' })
  const appsStay = () =>
    toasts.show({
      title: 'Not all apps are disconnected',
      tone: 'danger',
      description: 'Disconnect them one by one under “Connected apps”.',
    })
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ present, wanted }: typeof empty) => changePassword(present, wanted),
    onSuccess: async (_, { endsApps }) => {
      setPasswords(empty)
      toasts.show({ title: 'Your password is changed', description: 'All your other sessions have ended.' })
      // The password is changed by now: what fails here is no fault of it.
      if (endsApps) await disconnectAllApps().then(appsEnded, appsStay)
      await readAgain([sessionsKey, appsKey])
    },
  })
  const fieldErrors = fieldErrorsOf(error)
  return (
    <Card title="Password" description="A new one ends every other session of yours.">
      <SaveForm
        submitLabel="Change the password"
        busy={isPending}
        error={error}
        beside={['password', 'currentPassword', 'newPassword']}
        onSubmit={() => mutate(passwords)}
      >
        {/* Password managers ask for whom it is. */}
        <input type="hidden" autoComplete="username" value={email} />
        <TextField
          label="Current password"
          error={fieldErrors.currentPassword ?? fieldErrors.password}
          secret
          required
          autoComplete="current-password"
          value={passwords.present}
          onChange={present => setPasswords({ ...passwords, present })}
        />
        <NewPasswordField
          label="New password"
          error={fieldErrors.newPassword}
          value={passwords.wanted}
          onChange={wanted => setPasswords({ ...passwords, wanted })}
        />
        <Checkbox
          label="Disconnect all apps too"
          hint="Otherwise assistants, editors and command lines go on acting for you."
          checked={passwords.endsApps}
          onChange={endsApps => setPasswords({ ...passwords, endsApps })}
        />
      </SaveForm>
    </Card>
  )
}
