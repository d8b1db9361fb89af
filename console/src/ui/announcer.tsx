/** Says to those who hear the page what those who see it notice by themselves. */
import { createContext, type ReactNode, use, useCallback, useState } from 'react'

const AnnounceContext = createContext<(message: string) => void>(() => undefined)

export function Announcer({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState('')
  // The same words twice would be said once: a space that is not heard makes them differ.
  const announce = useCallback(
    (next: string) => setMessage(before => (before === next ? `${next}\u00a0` : next)),
    [],
  )
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className="sr-only">
        {message}
      </div>
    </AnnounceContext>
  )
}

export const useAnnounce = (): ((message: string) => void) => use(AnnounceContext)
