/** The services that can be connected, with a search. */
import type { Integration } from '@atrium/sdk'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useMay, useScope } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { canBeOpened } from './access.tsx'
import { ClientDialog } from './client-dialog.tsx'
import { useCatalog } from './connection-queries.ts'
import { authWords } from './words.ts'

export function Catalog() {
  const [wanted, setWanted] = useState('')
  const catalog = useCatalog()
  return (
    <section aria-labelledby="catalog" className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="catalog" className="text-[15px] font-semibold">
          Catalog
        </h2>
        <div className="w-full sm:w-72">
          <Field label="Find a service" labelHidden>
            <Input
              type="search"
              placeholder="Find a service…"
              value={wanted}
              onChange={event => setWanted(event.currentTarget.value)}
            />
          </Field>
        </div>
      </div>
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
    </section>
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
