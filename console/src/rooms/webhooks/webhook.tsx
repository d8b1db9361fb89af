/** One endpoint: its state, what can be done with it, and what was delivered. */
import type { Webhook } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Power, RefreshCw, Rewind, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiMutation, useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { count, formatMoment } from '../../ui/format.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RotateDialog, ShownOnceDialog } from '../../ui/secrets.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Deliveries } from './deliveries.tsx'
import { choiceOf, EndpointFields, EndpointState, isComplete, requestOf } from './endpoint.tsx'
import { ShownOnce } from './shown-once.tsx'

const back = { to: '/webhooks', label: 'Webhooks' }

type OpenDialog = 'edit' | 'rotate' | 'replay' | 'delete'

export function Room() {
  const webhookId = useRoomParam('webhookId')
  const mayWrite = useMay('webhooks:write')
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const webhook = useApiQuery(['webhooks', 'one', webhookId], (atrium, options) =>
    atrium.webhooks.get(webhookId, options),
  )
  const close = () => setOpenDialog(null)
  const endpoint = webhook.data
  return (
    <Page
      title={<span className="break-all">{endpoint?.url ?? 'Webhook endpoint'}</span>}
      description={endpoint?.description ?? undefined}
      back={back}
      actions={
        mayWrite && endpoint !== undefined && <Actions webhook={endpoint} onOpenDialog={setOpenDialog} />
      }
    >
      <Loaded query={webhook}>
        {shown => (
          <>
            <Troubles webhook={shown} />
            <Card>
              <EndpointFacts webhook={shown} />
            </Card>
            <Deliveries webhookId={shown.id} />
            {openDialog === 'edit' && <EditDialog webhook={shown} onClose={close} />}
            {openDialog === 'rotate' && <RotateSecret webhook={shown} onClose={close} />}
            {openDialog === 'replay' && <ReplayDialog webhook={shown} onClose={close} />}
            {openDialog === 'delete' && <DeleteDialog webhook={shown} onClose={close} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

type ActionsProps = { webhook: Webhook; onOpenDialog: (openDialog: OpenDialog) => void }

function Actions({ webhook, onOpenDialog }: ActionsProps) {
  const test = useApiAction(atrium => atrium.webhooks.test(webhook.id), {
    changes: [['webhooks', 'deliveries', webhook.id]],
    done: ({ status }) =>
      status === 'delivered'
        ? { title: 'The test is delivered' }
        : {
            title: 'The test is not delivered',
            description: 'Open the delivery below to see what came back.',
            tone: 'danger',
          },
  })
  const enable = useApiAction((atrium, enabled: boolean) => atrium.webhooks.update(webhook.id, { enabled }), {
    changes: [['webhooks']],
    done: ({ enabled }, again) =>
      enabled
        ? { title: 'The endpoint is enabled' }
        : { title: 'The endpoint is disabled', undo: () => again(true) },
  })
  return (
    <>
      <Button icon={Send} busy={test.isPending} disabled={!webhook.enabled} onClick={() => test.run()}>
        Send a test
      </Button>
      <Button icon={Pencil} onClick={() => onOpenDialog('edit')}>
        Edit
      </Button>
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" />}>
        <MenuItem icon={Power} onSelect={() => enable.run(!webhook.enabled)}>
          {webhook.enabled ? 'Disable' : 'Enable'}
        </MenuItem>
        <MenuItem icon={RefreshCw} onSelect={() => onOpenDialog('rotate')}>
          Rotate the secret…
        </MenuItem>
        <MenuItem icon={Rewind} disabled={!webhook.enabled} onSelect={() => onOpenDialog('replay')}>
          Replay a time…
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => onOpenDialog('delete')}>
          Delete…
        </MenuItem>
      </Menu>
    </>
  )
}

function Troubles({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  const since = failingSince === null ? 'then' : formatMoment(failingSince)
  if (enabled && failingSince === null) return null
  if (enabled) {
    return (
      <Notice tone="warn" title={`Nothing was delivered since ${since}`}>
        Deliveries are repeated for days. After five days without one the endpoint is disabled.
      </Notice>
    )
  }
  switch (disabledReason) {
    case 'gone':
      return (
        <Notice tone="danger" title="Disabled: it has answered 410 Gone">
          Correct its address, or enable it once the receiver is back. You can then replay the missed events.
        </Notice>
      )
    case 'failing':
      return (
        <Notice tone="danger" title="Disabled: nothing was delivered for five days">
          Check the latest attempts below and fix the receiver. Then enable the endpoint and replay events
          since {since}.
        </Notice>
      )
    case 'creator_lost_access':
      return (
        <Notice tone="danger" title="Disabled: the member who made it has lost access">
          They were removed, or their role no longer manages webhooks. If you trust the endpoint’s address,
          enable it and replay the missed events.
        </Notice>
      )
    default:
      return (
        <Notice title="Disabled by a person">
          Nothing is sent. Once it is enabled, what was pending is sent, and what has happened meanwhile can
          be replayed.
        </Notice>
      )
  }
}

function EndpointFacts({ webhook }: { webhook: Webhook }) {
  const { eventTypes, agentIds, collectionIds, previousSecretExpiresAt, createdAt } = webhook
  const narrowing = [
    agentIds === null ? null : count(agentIds.length, 'agent'),
    collectionIds === null ? null : count(collectionIds.length, 'collection'),
  ].filter(part => part !== null)
  const told = eventTypes.includes('*') ? 'Everything' : eventTypes.join(', ')
  return (
    <Facts
      facts={[
        { name: 'State', value: <EndpointState webhook={webhook} /> },
        {
          name: 'Told of',
          value: narrowing.length > 0 ? `${told}, of ${narrowing.join(' and ')} only` : told,
        },
        {
          name: 'Old secret',
          value:
            previousSecretExpiresAt === null
              ? 'None'
              : `Signs too, until ${formatMoment(previousSecretExpiresAt)}`,
        },
        { name: 'Made', value: <RelativeTime time={createdAt} /> },
      ]}
    />
  )
}

function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, url, description } = webhook
  const { fields, of, sending } = useForm({
    initial: { url, description: description ?? '', ...choiceOf(webhook) },
    write: (atrium, endpoint) => atrium.webhooks.update(id, requestOf(endpoint)),
    changes: [['webhooks']],
    done: () => ({ title: 'The endpoint is changed' }),
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Edit the endpoint"
      submitLabel="Save"
      disabled={!isComplete(fields)}
      {...sending}
    >
      <EndpointFields of={of} />
    </FormDialog>
  )
}

/** A new secret for an endpoint, while deliveries carry a signature of the old one as well. */
function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <RotateDialog
      onClose={onClose}
      title="Rotate the signing secret?"
      description="Deliveries are signed by a new secret. For a while they carry a signature of the old one too."
      hint="Long enough to give the receiver the new one."
      usualSeconds={86_400}
      rotate={(atrium, rotation) => atrium.webhooks.rotateSecret(webhook.id, rotation)}
      changes={[['webhooks']]}
      shown={({ secret = '' }) => (
        <ShownOnceDialog onClose={onClose} size="large" title="The new signing secret">
          <ShownOnce secret={secret} />
        </ShownOnceDialog>
      )}
    />
  )
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete the endpoint?"
      confirmLabel="Delete the endpoint"
      onConfirm={atrium => atrium.webhooks.delete(webhook.id)}
      // Refetches only the list, because the endpoint itself no longer exists.
      changes={[['webhooks', 'list']]}
      onDone={() => navigate({ to: '/webhooks' })}
      done="The endpoint is deleted"
    >
      <p>
        Nothing is sent to <span className="break-all text-ink">{webhook.url}</span> any more. Its secret and
        the log of its deliveries are erased. This cannot be taken back.
      </p>
      <p>To stop it for a while, disable it instead: what happens meanwhile can be replayed.</p>
    </ConfirmDialog>
  )
}

type Range = { createdAfter: string; createdBefore?: string }

const dayMs = 86_400_000

function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const toasts = useToasts()
  const [from, setFrom] = useState(() => localMinute(startOf(webhook)))
  const [to, setTo] = useState('')
  const preview = useApiMutation((atrium, range: Range) => atrium.webhooks.previewReplay(webhook.id, range))
  const replay = useApiMutation((atrium, range: Range) => atrium.webhooks.replay(webhook.id, range), {
    changes: [['webhooks', 'deliveries', webhook.id]],
  })
  // What was counted is what is sent: the counted range goes with the count.
  const counted = preview.data === undefined ? null : (preview.variables ?? null)
  const events = preview.data?.reduce((sum, effect) => sum + effect.count, 0) ?? 0
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    preview.reset()
    replay.reset()
  }
  const fieldErrors = fieldErrorsOf(replay.error ?? preview.error)
  const send = (range: Range) =>
    replay.mutate(range, {
      onSuccess: () => {
        toasts.show({ title: `${count(events, 'event is', 'events are')} sent again` })
        onClose()
      },
    })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title="Replay a time"
      description="Events that this endpoint is told of are sent again, delivered or not, oldest first. Each keeps its webhook-id."
      submitLabel={counted === null ? 'Count the events' : 'Send them again'}
      busy={preview.isPending || replay.isPending}
      disabled={counted === null ? from === '' : events === 0}
      error={replay.error ?? preview.error}
      beside={['createdAfter', 'createdBefore']}
      onSubmit={() => (counted === null ? preview.mutate(rangeOf(from, to)) : send(counted))}
    >
      <TextField
        label="From"
        hint="In your time zone."
        error={fieldErrors.createdAfter}
        type="datetime-local"
        required
        value={from}
        onChange={change(setFrom)}
      />
      <TextField
        label="Until"
        optional
        hint="Up to now unless given."
        error={fieldErrors.createdBefore}
        type="datetime-local"
        value={to}
        onChange={change(setTo)}
      />
      <div role="status">
        {counted !== null && (
          <Notice tone={events === 0 ? 'info' : 'warn'}>
            {events === 0
              ? 'Nothing has happened then that this endpoint is told of.'
              : `${count(events, 'event')} would be sent to the endpoint.`}
          </Notice>
        )}
      </div>
    </FormDialog>
  )
}

/** Since it fails; else the last day. */
const startOf = ({ failingSince }: Webhook): Date =>
  failingSince === null ? new Date(Date.now() - dayMs) : new Date(failingSince)

/** As `datetime-local` wants it: the minute, in the person's own time zone. */
function localMinute(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

const rangeOf = (from: string, to: string): Range =>
  withoutUndefined({
    createdAfter: new Date(from).toISOString(),
    createdBefore: to === '' ? undefined : new Date(to).toISOString(),
  })
