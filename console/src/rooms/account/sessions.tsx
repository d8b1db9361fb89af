/** Where one is signed in, and an end to it. */
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { endOneSession, endOtherSessions, listSessions, type Session } from './account-client.ts'

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
              <Line key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function Line({ session: { id, current, ipAddress, userAgent, createdAt } }: { session: Session }) {
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

/** `Firefox on Linux`. */
function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const nameOf = (known: readonly [RegExp, string][]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameOf(browsers) ?? userAgent.slice(0, 40)
  const system = nameOf(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
