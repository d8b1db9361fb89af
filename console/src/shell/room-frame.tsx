/** Wraps every room: sets its title, announces it to screen readers, and explains a missing permission. */
import { useLocation } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useMay, useScope } from '../api/scope.tsx'
import type { Room } from '../rooms/room.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { Loading } from '../ui/waiting.tsx'

export function RoomFrame({ room, children }: { room: Room; children: ReactNode }) {
  const { workspace, environment } = useScope()
  const may = useMay(room.permission ?? '') || room.permission === undefined
  useArrival(room.title, workspace.name)
  if (!may) return <Refused room={room} />
  return (
    // What a room has chosen and typed belongs to the workspace and environment that it was chosen in.
    <Suspense key={`${workspace.id}/${environment}`} fallback={<Loading what={room.title} />}>
      {children}
    </Suspense>
  )
}

/** Tells of each new page, and moves the focus to where it begins; not on the first one, where it is there already. */
function useArrival(title: string, workspaceName: string): void {
  const { pathname } = useLocation()
  const announce = useAnnounce()
  const before = useRef<string | null>(null)
  useEffect(() => {
    document.title = `${title} · ${workspaceName} · Atrium`
  }, [title, workspaceName])
  useEffect(() => {
    const isFirst = lastPath === null
    if (before.current === pathname || lastPath === pathname) return
    before.current = pathname
    lastPath = pathname
    if (isFirst) return
    announce(title)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname, title, announce])
}

/** Rooms come and go; the page that they are shown on stays. */
let lastPath: string | null = null

function Refused({ room }: { room: Room }) {
  const { role, workspace } = useScope()
  return (
    <Page title={room.title}>
      <EmptyState
        icon={Lock}
        title="Your role does not include this page"
        action={<ButtonLink to="/">To the overview</ButtonLink>}
      >
        You are {role === 'owner' || role === 'admin' ? 'an' : 'a'} {role} of {workspace.name}; this page
        needs the permission <code className="font-mono text-[13px]">{room.permission}</code>. An owner or
        admin can change your role.
      </EmptyState>
    </Page>
  )
}
