/** The frame of a room: its heading, its actions, its cards. */
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

type PageProps = {
  title: ReactNode
  /** A sentence that says what this page is for. */
  description?: ReactNode
  /** Buttons of the whole page, the main one last. */
  actions?: ReactNode
  /** Where one comes from, in a room below another. */
  back?: { to: string; label: string }
  /** For text and forms; lists and editors take the whole width. */
  narrow?: boolean
  children: ReactNode
}

export function Page({ title, description, actions, back, narrow = false, children }: PageProps) {
  return (
    <div
      className={classNames('mx-auto flex w-full min-w-0 flex-col gap-6', narrow ? 'max-w-3xl' : 'max-w-6xl')}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-[72ch]">
          {back !== undefined && (
            <Link
              to={back.to}
              className="mb-2 inline-flex items-center gap-1 text-[13px] text-muted hover:text-ink"
            >
              <ChevronLeft aria-hidden size={14} />
              {back.label}
            </Link>
          )}
          <h1
            dir="auto"
            tabIndex={-1}
            className="text-left text-xl leading-7 font-semibold tracking-tight break-words outline-none"
          >
            {title}
          </h1>
          {description !== undefined && (
            <p dir="auto" className="text-pretty mt-1 text-left break-words text-muted">
              {description}
            </p>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

type CardProps = {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  /** Red edge, for what cannot be taken back. */
  danger?: boolean
  children?: ReactNode
}

/** What is in it stands below each other, as in a form. */
export function Card({ title, description, actions, danger = false, children }: CardProps) {
  return (
    <section
      className={classNames(
        'min-w-0 rounded-lg border bg-surface p-5 shadow-card',
        danger && 'border-danger-line',
      )}
    >
      {title !== undefined && (
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 dir="auto" className="text-[15px] font-semibold">
              {title}
            </h2>
            {description !== undefined && (
              <p dir="auto" className="mt-0.5 text-muted">
                {description}
              </p>
            )}
          </div>
          {actions}
        </header>
      )}
      {children !== undefined && (
        <div className={classNames('flex flex-col gap-5', title !== undefined && 'mt-4')}>{children}</div>
      )}
    </section>
  )
}

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A part of a page with its own heading, such as a list beside others. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="text-[15px] font-semibold">
          {title}
        </h2>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
