/** Name and settings of a connection. */

import type { Connection, Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { fieldsOf, initialOf, valuesOf } from './schema-values.ts'

type Props = { connection: Connection; entry: Integration; onClose: () => void }

export function SettingsDialog({ connection, entry, onClose }: Props) {
  const toasts = useToasts()
  const [name, setName] = useState(connection.name)
  const fields = fieldsOf(entry.configSchema)
  const before = initialOf(fields, connection.config)
  const [typed, setTyped] = useState(before)
  const isSame = JSON.stringify(before) === JSON.stringify(typed)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, change: { name: string; config?: Record<string, unknown> }) =>
      atrium.integrations.update(connection.id, change),
    { changes: [['integrations']] },
  )
  const errors = fieldErrorsOf(error)
  const save = () =>
    mutate(withoutUndefined({ name: name.trim(), config: isSame ? undefined : valuesOf(fields, typed) }), {
      onSuccess: () => {
        toasts.show({ title: 'The connection is changed' })
        onClose()
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Connection settings"
      {...(fields.length === 0
        ? {}
        : { description: 'If you change the settings, the next sync is a full sync.' })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="connection-settings" variant="primary" busy={isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="connection-settings"
        className="flex flex-col gap-5"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="Name" error={errors.name}>
          <Input
            required
            maxLength={200}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Field>
        <SchemaFields fields={fields} value={typed} onChange={setTyped} within="config" errors={errors} />
        {error !== null && Object.keys(errors).length === 0 && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}
