/** The services that can be connected, with a search. */
import type { Integration } from '@atrium/sdk'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { authWords } from './words.ts'

/** The catalog is part of the server, and short: one page holds it. */
const mostEntries = 100

export function Catalog() {
  const [wanted, setWanted] = useState('')
  const catalog = useApiQuery(['integrations', 'catalog'], (atrium, options) =>
    atrium.integrations.catalog({ pageSize: mostEntries }, options).page(),
  )
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
  const { id, name, description, auth, configured, documentationUrl } = entry
  // In the sandbox nobody is asked, and so no client is needed.
  const canConnect = configured || environment === 'test'
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold break-words">{name}</h3>
        <Badge>{authWords[auth]}</Badge>
      </div>
      <p className="flex-1 text-muted">{description}</p>
      {!canConnect && (
        <p className="text-[13px] text-warn-text">
          The operator has not set up an OAuth client for it on this server.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {mayWrite && canConnect && (
          <ButtonLink to="/integrations/connect/$integrationId" params={{ integrationId: id }} size="small">
            Connect {name}
          </ButtonLink>
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
    </li>
  )
}
