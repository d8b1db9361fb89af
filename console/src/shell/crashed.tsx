/** Where a page failed by itself: what to do, without losing the way to the others. */
import { useRouter } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

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
