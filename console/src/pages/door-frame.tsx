/** The frame of the pages outside of the shell: the name, one card, and a title for the tab. */
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { Logo } from '../shell/logo.tsx'

type DoorFrameProps = { title: string; description?: ReactNode; children: ReactNode; footer?: ReactNode }

export function DoorFrame({ title, description, children, footer }: DoorFrameProps) {
  useEffect(() => {
    document.title = `${title} · Atrium`
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <Logo size={32} />
      <div className="w-full max-w-[400px] rounded-lg border bg-surface p-6 shadow-card sm:p-8">
        <h1 dir="auto" className="text-xl font-semibold tracking-tight">
          {title}
        </h1>
        {description !== undefined && <div className="mt-1.5 text-muted">{description}</div>}
        <div className="mt-6">{children}</div>
      </div>
      {footer !== undefined && <div className="text-center text-muted">{footer}</div>}
    </main>
  )
}

/** A link within a sentence. */
export const linkLook = 'font-medium text-accent-text underline underline-offset-3 hover:decoration-2'
