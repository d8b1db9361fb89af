/** Where one is signed in, and which apps act for one, with an end to each. */
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import {
  type ConnectedApp,
  disconnectApp,
  endOneSession,
  endOtherSessions,
  listApps,
  listSessions,
  type Session,
} from '../../session/session-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export const sessionsKey = ['account', 'sessions']

export function SessionsCard() {
  const sessions = useApiQuery(sessionsKey, (_, { signal }) => listSessions(signal))
  const end = useApiAction(endOtherSessions, {
    changes: [sessionsKey],
    done: () => ({ title: 'All other sessions have ended' }),
  })
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <Card
      title="Sessions"
      description="Where you are signed in. End what you do not know, and change your password then."
      actions={
        others > 1 && (
          <Button size="small" busy={end.isPending} onClick={() => end.run()}>
            End all others
          </Button>
        )
      }
    >
      <Loaded query={sessions}>
        {found => (
          <ul aria-label="Sessions" className="divide-y">
            {found.map(session => (
              <SessionLine key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function SessionLine({ session: { id, current, ipAddress, userAgent, createdAt } }: { session: Session }) {
  const end = useApiAction(() => endOneSession(id), {
    changes: [sessionsKey],
    done: () => ({ title: 'The session has ended' }),
  })
  const device = deviceOf(userAgent)
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{device}</span>
          {current && <Badge tone="accent">This one</Badge>}
        </p>
        <p className="text-[13px] break-words text-muted">
          Signed in <RelativeTime time={createdAt} />
          {ipAddress !== null && ` from ${ipAddress}`}
        </p>
      </div>
      {!current && (
        <Button
          size="small"
          aria-label={`End the session of ${device}`}
          busy={end.isPending}
          onClick={() => end.run()}
        >
          End
        </Button>
      )}
    </li>
  )
}

/** From what a browser calls itself to what a person calls it. The order matters: Edge and Chrome call themselves Safari too. */
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const nameOf = (known: readonly [RegExp, string][]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameOf(browsers) ?? userAgent.slice(0, 40)
  const system = nameOf(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}

export const appsKey = ['account', 'apps']

/** The apps of all workspaces of the person. */
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
                <AppLine key={app.id} app={app} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function AppLine({ app }: { app: ConnectedApp }) {
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
