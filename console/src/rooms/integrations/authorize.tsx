/** While a person authorizes the connection on the service's own page: the way there, and what has become of it. */
import type { Integration } from '@atrium/sdk'
import { ExternalLink } from 'lucide-react'
import { useApiQuery } from '../../api/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { statusWords } from './words.ts'

const pendingMs = 2_000

type Props = {
  entry: Integration
  connectionId: string
  /** The page of this server that leads to the service, and that only this browser can finish. */
  connectUrl: string
}

export function Authorize({ entry, connectionId, connectUrl }: Props) {
  const { data, error } = useApiQuery(
    ['integrations', 'connections', connectionId],
    (atrium, options) => atrium.integrations.get(connectionId, options),
    { refetchInterval: found => (found === undefined || found.status === 'pending' ? pendingMs : false) },
  )
  const status = data?.status ?? 'pending'
  return (
    <Card title={status === 'pending' ? `Authorize it at ${entry.name}` : statusWords[status].label}>
      <div className="flex flex-col items-start gap-4">
        {status === 'pending' && (
          <>
            <p>
              A tab of its own says once more what will be connected, and leads to the page of {entry.name}.
              Come back here when you have agreed: the link can be used for ten minutes.
            </p>
            <a
              href={connectUrl}
              target="_blank"
              rel="noreferrer"
              className="inline-flex h-9 items-center gap-2 rounded-md bg-accent px-4 font-medium text-accent-ink shadow-card hover:bg-accent-hover"
            >
              Continue to {entry.name}
              <ExternalLink aria-hidden size={16} />
            </a>
          </>
        )}
        <div role="status" className="w-full">
          {status === 'active' && <Notice tone="good">{entry.name} is connected.</Notice>}
          {status !== 'active' && status !== 'pending' && (
            <Notice tone="danger">
              {data?.lastError?.message ?? 'It was not authorized.'} Go back, and connect it once more.
            </Notice>
          )}
        </div>
        {error !== null && <ErrorNotice error={error} />}
        <ButtonLink to="/integrations">Back to the integrations</ButtonLink>
      </div>
    </Card>
  )
}
