/** The layout around all rooms for signed-in people: navigation, top bar and the sandbox's border. */
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useIsAway } from '../api/connection.ts'
import { lazyPage } from '../api/loading-code.ts'
import { ScopeProvider, useScope } from '../api/scope.tsx'
import { rooms } from '../rooms/registry.ts'
import { RoomsContext } from '../rooms/room.ts'
import { PersonContext, useSession, useSignInIfNeeded } from '../session/use-session.ts'
import { Drawer } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'
import { NoWorkspace } from './new-workspace.tsx'
import { SandboxFrame } from './sandbox.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

const CommandPalette = lazyPage(() => import('./command-palette.tsx'), 'CommandPalette')

export function Shell() {
  const { data: session, error, refetch } = useSession()
  const isLeaving = useSignInIfNeeded(session)
  const isServerAway = useIsAway()
  if (session === undefined || isLeaving || session.person === null) {
    return (
      <main className="mx-auto w-full max-w-xl p-6">
        {error === null || isServerAway ? (
          <Loading what="Opening Atrium" />
        ) : (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        )}
      </main>
    )
  }
  if (session.workspaces.every(({ deletesAt }) => deletesAt !== null)) {
    return <NoWorkspace workspaces={session.workspaces} />
  }
  return (
    <PersonContext value={session.person}>
      <ScopeProvider workspaces={session.workspaces}>
        <RoomsContext value={rooms}>
          <Frame />
        </RoomsContext>
      </ScopeProvider>
    </PersonContext>
  )
}

function Frame() {
  const { environment } = useScope()
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating to another page closes the drawer.
  useEffect(() => setDrawerOpen(false), [pathname])
  usePaletteKey(() => setPaletteOpen(true))
  useEffect(() => {
    document.documentElement.dataset.environment = environment
    return () => void delete document.documentElement.dataset.environment
  }, [environment])
  return (
    <div className="min-h-dvh">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-accent focus:px-4 focus:py-2 focus:text-accent-ink"
      >
        Skip to the content
      </a>
      {environment === 'test' && <SandboxFrame />}
      <div className="lg:grid lg:grid-cols-[248px_minmax(0,1fr)]">
        <div className="sticky top-(--banner) hidden h-[calc(100dvh-var(--banner))] overflow-y-auto border-r lg:block">
          <Sidebar />
        </div>
        <div className="flex min-h-dvh min-w-0 flex-col">
          <TopBar onMenu={() => setDrawerOpen(true)} onSearch={() => setPaletteOpen(true)} />
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-8 sm:py-8">
            <Outlet />
          </main>
        </div>
      </div>
      {drawerOpen && (
        <Drawer onClose={() => setDrawerOpen(false)} title="Navigation">
          <Sidebar />
        </Drawer>
      )}
      {paletteOpen && (
        <Suspense>
          <CommandPalette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

function usePaletteKey(open: () => void): void {
  const [onOpen] = useState(() => open)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.metaKey || event.ctrlKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      onOpen()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [onOpen])
}
