/** How long ago, with the exact moment where the pointer rests; it goes on while the page is open. */
import { useEffect, useState } from 'react'
import { formatMoment, formatRelative } from './format.ts'

const stepMs = 30_000

export function RelativeTime({
  time,
  fallback = 'Never',
}: {
  time: string | null | undefined
  fallback?: string
}) {
  const now = useNow()
  if (time == null) return <span className="text-muted">{fallback}</span>
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatRelative(time, now)}
    </time>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
