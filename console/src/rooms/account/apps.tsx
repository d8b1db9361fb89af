/** The apps that a person has connected, in all of their workspaces, and an end to each. */
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import { type ConnectedApp, disconnectApp, listApps } from '../../session/apps-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export const appsKey = ['account', 'apps']

export function AppsCard() {
  const apps = useApiQuery(appsKey, (_, { signal }) => listApps(signal))
  return (
    <Card
      title="Connected apps"
      description="Assistants, editors and command lines that act for you. Disconnect what you no longer use."
    >
      <Loaded query={apps}>
        {found =>
          found.length === 0 ? (
            <p className="text-muted">You have connected none.</p>
          ) : (
            <ul aria-label="Connected apps" className="divide-y">
              {found.map(app => (
                <Line key={app.id} app={app} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Line({ app }: { app: ConnectedApp }) {
  const end = useApiAction(() => disconnectApp(app.id), {
    changes: [appsKey],
    done: () => ({ title: `“${app.name}” is disconnected` }),
  })
  const place = [app.host, app.workspaceName].filter(part => part !== '').join(' · ')
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium break-words">
            {app.name}
          </span>
          {app.environment === 'test' && <Badge tone="warn">Test</Badge>}
        </p>
        <p className="text-[13px] break-words text-muted">
          {place} · {count(app.permissions.length, 'permission')}
          {app.isNarrowed && ', narrowed'} ·{' '}
          {app.lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              used <RelativeTime time={app.lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button
        size="small"
        aria-label={`Disconnect ${app.name}`}
        busy={end.isPending}
        onClick={() => end.run()}
      >
        Disconnect
      </Button>
    </li>
  )
}
