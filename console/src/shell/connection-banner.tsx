/** One line above every page while the server cannot be reached; it goes by itself. */
import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { lookAgain, useIsAway } from '../api/connection.ts'

export function ConnectionBanner() {
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
