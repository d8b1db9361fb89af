/** The services that can be connected, with a search. */

import type { Integration } from '@atrium/sdk'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { canBeOpened } from './access.tsx'
import { authWords, useCatalog } from './connections.ts'

export function Catalog() {
  const [wanted, setWanted] = useState('')
  const catalog = useCatalog()
  return (
    <Section
      title="Catalog"
      actions={
        <div className="w-full sm:w-72">
          <TextField
            label="Find a service"
            labelHidden
            type="search"
            placeholder="Find a service…"
            value={wanted}
            onChange={setWanted}
          />
        </div>
      }
    >
      <Loaded query={catalog}>
        {({ items }) => {
          const found = items.filter(entry => isAbout(entry, wanted))
          return found.length === 0 ? (
            <p className="text-muted">
              No service is called that. Any HTTP API with a key can be connected by “HTTP API”.
            </p>
          ) : (
            <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {found.map(entry => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

const isAbout = ({ name, description, category }: Integration, wanted: string): boolean =>
  `${name} ${description} ${category}`.toLowerCase().includes(wanted.trim().toLowerCase())

function Entry({ entry }: { entry: Integration }) {
  const mayWrite = useMay('integrations:write')
  const { environment } = useScope()
  const [isSetting, setSetting] = useState(false)
  const { id, name, description, auth, configured, documentationUrl } = entry
  const isTest = environment === 'test'
  // The sandbox contacts no service, so it needs no OAuth client.
  const canConnect = canBeOpened(entry, isTest)
  const needsClient = auth === 'oauth2' && !configured && !isTest
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 dir="auto" className="font-semibold break-words">
          {name}
        </h3>
        <Badge>{authWords[auth]}</Badge>
      </div>
      <p dir="auto" className="flex-1 text-muted">
        {description}
      </p>
      {needsClient && (
        <p className="text-[13px] text-warn-text">
          {canConnect
            ? 'Connect with an API key, or set up an OAuth client first.'
            : 'Set up an OAuth client before you connect.'}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {mayWrite && canConnect && (
          <ButtonLink to="/integrations/connect/$integrationId" params={{ integrationId: id }} size="small">
            Connect {name}
          </ButtonLink>
        )}
        {mayWrite && needsClient && (
          <Button size="small" variant="ghost" onClick={() => setSetting(true)}>
            Set up {name}
          </Button>
        )}
        {documentationUrl !== null && (
          <a
            href={documentationUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-[13px] text-accent-text hover:underline"
          >
            About {name}
            <ExternalLink aria-hidden size={14} />
          </a>
        )}
      </div>
      {isSetting && <ClientDialog entry={entry} onClose={() => setSetting(false)} />}
    </li>
  )
}

type ClientDialogProps = { entry: Integration; onClose: () => void }

/** The OAuth client by which a service knows this workspace: made there by hand, kept here encrypted. */
function ClientDialog({ entry: { id, name }, onClose }: ClientDialogProps) {
  const client = useApiQuery(['integrations', 'clients', id], (atrium, options) =>
    atrium.integrations.clients.get(id, options),
  )
  const { of, sending } = useForm({
    initial: { clientId: '', clientSecret: '' },
    write: (atrium, wanted) => atrium.integrations.clients.set(id, wanted),
    changes: [['integrations']],
    done: () => ({ title: `${name} can be connected` }),
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`The OAuth client for ${name}`}
      description={`Make an application at ${name}, and copy its id and secret here.`}
      submitLabel="Save"
      {...sending}
    >
      <Loaded query={client}>
        {({ redirectUrl }) => <CopyField label="Redirect address to register there" value={redirectUrl} />}
      </Loaded>
      <TextField label="Client ID" required maxLength={1_024} autoComplete="off" {...of('clientId')} />
      <TextField
        label="Client secret"
        hint="Stored encrypted and never shown again."
        secret
        required
        maxLength={4_096}
        autoComplete="new-password"
        {...of('clientSecret')}
      />
    </FormDialog>
  )
}
