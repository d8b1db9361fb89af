/** Making a key: what it is called, where it works, what it may do, for how long and for what; then its secret, once. */

import type { ApiKey } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { type Expiry, ExpiryField, expiresAtOf } from './expiry-field.tsx'
import { HolderField } from './holder-field.tsx'
import { emptyNarrowing, NarrowingFields, narrowingOf } from './narrowing-fields.tsx'
import { PermissionFields } from './permission-fields.tsx'
import { ShownOnce } from './shown-once.tsx'

const back = { to: '/settings/api-keys', label: 'API keys' }

export function Room() {
  const [made, setMade] = useState<{ apiKey: ApiKey; secret: string } | null>(null)
  return made === null ? (
    <NewKeyForm onMade={(apiKey, secret) => setMade({ apiKey, secret })} />
  ) : (
    <Page narrow back={back} title={`“${made.apiKey.name}” is made`}>
      <Card>
        <ShownOnce apiKey={made.apiKey} secret={made.secret} />
      </Card>
      <div>
        <ButtonLink to="/settings/api-keys" variant="primary">
          I have kept it
        </ButtonLink>
      </div>
    </Page>
  )
}

type Environment = ApiKey['environment']

function NewKeyForm({ onMade }: { onMade: (apiKey: ApiKey, secret: string) => void }) {
  const { environment: present } = useScope()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [memberId, setMemberId] = useState('')
  const [environment, setEnvironment] = useState<Environment>(present)
  const [permissions, setPermissions] = useState<ReadonlySet<string>>(
    new Set(['agents:read', 'agents:run', 'knowledge:read']),
  )
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'days', days: 365 })
  const [narrowing, setNarrowing] = useState(emptyNarrowing)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) =>
      atrium.apiKeys.create(
        withoutUndefined({
          name: name.trim(),
          environment,
          // Only names from the list of areas are chosen, which are those of the API.
          permissions: [...permissions] as ApiKey['permissions'],
          expiresAt: expiresAtOf(expiry, Date.now()),
          memberId: memberId === '' ? undefined : memberId,
          ...narrowingOf(narrowing, environment === present),
        }),
      ),
    { changes: [['api-keys'], ['overview']] },
  )
  const fieldErrors = fieldErrorsOf(error)
  return (
    <Page
      narrow
      back={back}
      title="New API key"
      description="One for each program, with no more than it needs."
    >
      <form
        className="flex flex-col gap-6"
        onSubmit={event => {
          event.preventDefault()
          mutate(null, {
            onSuccess: ({ key, ...apiKey }) => {
              if (key !== undefined) onMade(apiKey, key)
              else void navigate({ to: back.to })
            },
          })
        }}
      >
        <Card>
          <div className="flex flex-col gap-5">
            <Field label="Name" hint="What will use it, such as “Nightly import”." error={fieldErrors.name}>
              <Input
                required
                autoFocus
                maxLength={200}
                value={name}
                onChange={event => setName(event.currentTarget.value)}
              />
            </Field>
            <Choices
              legend="Environment"
              value={environment}
              onChange={setEnvironment}
              choices={[
                {
                  value: 'live',
                  label: 'Live',
                  hint:
                    present === 'live'
                      ? 'Your real data, models and mail.'
                      : 'Switch to live at the top to make one.',
                  disabled: present === 'test',
                },
                { value: 'test', label: 'Test', hint: 'The sandbox: data of its own, no cost.' },
              ]}
            />
            <HolderField value={memberId} onChange={setMemberId} error={fieldErrors.memberId} />
            <ExpiryField value={expiry} onChange={setExpiry} error={fieldErrors.expiresAt} />
          </div>
        </Card>
        <PermissionFields chosen={permissions} onChange={setPermissions} error={fieldErrors.permissions} />
        <NarrowingFields
          value={narrowing}
          onChange={setNarrowing}
          canChoose={environment === present}
          errors={fieldErrors}
        />
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={isPending} disabled={permissions.size === 0}>
            Create the key
          </Button>
          <ButtonLink to="/settings/api-keys">Cancel</ButtonLink>
        </div>
      </form>
    </Page>
  )
}
