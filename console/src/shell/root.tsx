/** What stands around every page, signed in or not, and where there is none. */
import { Outlet, useRouter } from '@tanstack/react-router'
import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { lookAgain, useIsAway } from '../api/connection.ts'
import { DoorFrame } from '../pages/door.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

export function Root() {
  return (
    <>
      <ConnectionBanner />
      <Outlet />
    </>
  )
}

/** One line above every page while the server cannot be reached; it goes by itself. */
function ConnectionBanner() {
  const isAway = useIsAway()
  useEffect(() => {
    // What stays at the top of the window stays below the banner.
    document.documentElement.toggleAttribute('data-away', isAway)
  }, [isAway])
  return (
    // The place is there from the beginning: what appears in it is read out.
    <div role="status" className="sticky top-0 z-40">
      {isAway && (
        <div className="flex h-(--banner) items-center justify-center gap-3 bg-ink px-4 text-[13px] whitespace-nowrap text-canvas">
          <WifiOff aria-hidden size={15} className="shrink-0" />
          <span>
            <strong className="font-medium">The server cannot be reached.</strong>{' '}
            <span className="max-sm:hidden">
              What you see and have typed stays; this page goes on by itself.
            </span>
          </span>
          <button
            type="button"
            onClick={lookAgain}
            className="rounded-sm font-medium underline underline-offset-3 outline-current"
          >
            Try now
          </button>
        </div>
      )}
    </div>
  )
}

/** Where a page failed by itself: what to do, without losing the way to the others. */
export function Crashed({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-4 p-6">
      <h1 className="text-xl font-semibold">This page could not be shown</h1>
      <ErrorNotice error={error} onRetry={() => void router.invalidate()} />
      <div>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </div>
    </div>
  )
}

export const NotFound = () => (
  <DoorFrame title="There is no such page" description="The link may be old, or a letter is missing.">
    <ButtonLink to="/" variant="primary" size="large" wide>
      To the overview
    </ButtonLink>
  </DoorFrame>
)
