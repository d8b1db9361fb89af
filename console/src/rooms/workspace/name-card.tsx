/** What the workspace is called. */
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useRefreshSession } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Props = { name: string; slug: string; mayWrite: boolean }

export function NameCard({ name: present, slug, mayWrite }: Props) {
  const toasts = useToasts()
  const refresh = useRefreshSession()
  const [name, setName] = useState(present)
  const { mutate, error, isPending } = useApiMutation(
    async (atrium, wanted: string) => {
      const changed = await atrium.workspace.update({ name: wanted })
      // The switcher of workspaces reads its names from the session.
      await refresh()
      return changed
    },
    { changes: [['workspace']] },
  )
  return (
    <Card title="Name">
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          mutate(name.trim(), { onSuccess: changed => toasts.show({ title: `It is ${changed.name} now` }) })
        }}
      >
        <Field
          label="Name of the workspace"
          hint={
            <>
              In addresses and on the command line it stays <code className="font-mono">{slug}</code>.
            </>
          }
          error={fieldErrorsOf(error).name}
        >
          <Input
            required
            maxLength={100}
            readOnly={!mayWrite}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Field>
        {error !== null && !isToldBeside(['name'], error) && <ErrorNotice error={error} />}
        {mayWrite && (
          <div>
            <Button
              type="submit"
              variant="primary"
              busy={isPending}
              disabled={name.trim() === '' || name.trim() === present}
            >
              Save the name
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}
