/** What others see one by. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useRefreshSession } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { changeName } from './account-client.ts'

export function NameCard({ name: present }: { name: string }) {
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
