/** The routes of the console: pages for signed-out visitors, and the rooms within the shell. */
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { lazyPage } from './api/loading-code.ts'
import { rooms } from './rooms/registry.ts'
import type { Room } from './rooms/room.ts'
import { RoomFrame } from './shell/room-frame.tsx'
import { Crashed, NotFound, Root } from './shell/root.tsx'
import { Shell } from './shell/shell.tsx'
import { Loading } from './ui/waiting.tsx'

export function createConsoleRouter() {
  const rootRoute = createRootRoute({
    component: Root,
    notFoundComponent: NotFound,
    errorComponent: Crashed,
  })
  const doorRoutes = doors.map(({ path, load }) =>
    createRoute({ getParentRoute: () => rootRoute, path, component: door(load) }),
  )
  const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })
  const roomRoutes = rooms.map(room =>
    createRoute({
      getParentRoute: () => shellRoute,
      path: room.path,
      component: framed(room),
      errorComponent: Crashed,
    }),
  )
  return createRouter({
    routeTree: rootRoute.addChildren([...doorRoutes, shellRoute.addChildren(roomRoutes)]),
    defaultPreload: 'intent',
    scrollRestoration: true,
    // Texts stay texts: a token that happens to be a number is one, too.
    parseSearch: search => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: search => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

/** The room within its title and its permission; its code comes when a person goes there or is about to. */
function framed(room: Room) {
  const Content = lazyPage(room.load, 'Room')
  const Framed = () => (
    <RoomFrame room={room}>
      <Content />
    </RoomFrame>
  )
  return Object.assign(Framed, { preload: Content.preload })
}

function door(load: () => Promise<{ Door: () => ReactNode }>) {
  const Content = lazyPage(load, 'Door')
  const Waited = () => (
    <Suspense fallback={<Loading what="Opening Atrium" />}>
      <Content />
    </Suspense>
  )
  return Object.assign(Waited, { preload: Content.preload })
}

type Door = { path: string; load: () => Promise<{ Door: () => ReactNode }> }

/** The pages outside of the shell: those by which people come in, or let in apps and devices. */
const doors: readonly Door[] = [
  { path: '/sign-in', load: () => import('./pages/sign-in.tsx') },
  { path: '/sign-up', load: () => import('./pages/sign-up.tsx') },
  { path: '/setup', load: () => import('./pages/setup.tsx') },
  { path: '/forgot-password', load: () => import('./pages/forgot-password.tsx') },
  { path: '/reset-password', load: () => import('./pages/reset-password.tsx') },
  { path: '/authorize', load: () => import('./pages/authorize.tsx') },
  { path: '/device', load: () => import('./pages/device.tsx') },
]
