/** Making an endpoint; then its secret, once. */

import type { Webhook } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { type Endpoint, EndpointFields, isComplete, requestOf } from './endpoint.tsx'
import { ShownOnce } from './shown-once.tsx'

const back = { to: '/webhooks', label: 'Webhooks' }

export function Room() {
  const [made, setMade] = useState<{ webhook: Webhook; secret: string } | null>(null)
  return made === null ? (
    <NewEndpointForm onMade={(webhook, secret) => setMade({ webhook, secret })} />
  ) : (
    <Page narrow back={back} title="The endpoint is made">
      <Card>
        <ShownOnce secret={made.secret} />
      </Card>
      <div>
        <ButtonLink to="/webhooks/$webhookId" params={{ webhookId: made.webhook.id }} variant="primary">
          I have kept it
        </ButtonLink>
      </div>
    </Page>
  )
}

const empty: Endpoint = { url: '', description: '', eventTypes: new Set(), wildcards: [], everything: true }

function NewEndpointForm({ onMade }: { onMade: (webhook: Webhook, secret: string) => void }) {
  const navigate = useNavigate()
  const { fields, of, sending } = useForm({
    initial: empty,
    write: (atrium, endpoint) => atrium.webhooks.create(requestOf(endpoint)),
    changes: [['webhooks']],
    onDone: ({ secret, ...webhook }) => {
      if (secret !== undefined) onMade(webhook, secret)
      else void navigate({ to: back.to })
    },
  })
  return (
    <Page
      narrow
      back={back}
      title="New endpoint"
      description="An address of yours that is told what happens here."
    >
      <SaveForm
        submitLabel="Create the endpoint"
        disabled={!isComplete(fields)}
        cancelTo="/webhooks"
        {...sending}
      >
        <Card>
          <EndpointFields of={of} />
        </Card>
      </SaveForm>
    </Page>
  )
}
