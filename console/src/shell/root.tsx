/** What stands around every page, signed in or not. */
import { Outlet } from '@tanstack/react-router'
import { ConnectionBanner } from './connection-banner.tsx'

export function Root() {
  return (
    <>
      <ConnectionBanner />
      <Outlet />
    </>
  )
}
