/** Buttons, and links that look like them. */
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'
import { Spinner } from './waiting.tsx'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger'
type Size = 'small' | 'medium' | 'large'

const base =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55'

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-accent-ink shadow-card hover:bg-accent-hover disabled:hover:bg-accent',
  secondary: 'border bg-surface text-ink shadow-card hover:bg-hover',
  ghost: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-accent-ink shadow-card hover:bg-danger-hover',
}

const sizes: Record<Size, string> = {
  small: 'h-8 px-3 text-[13px]',
  medium: 'h-9 px-4',
  large: 'h-11 px-5 text-[15px]',
}

type Look = { variant?: Variant; size?: Size; icon?: LucideIcon; wide?: boolean }

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows that it works, and takes no second press. */
    busy?: boolean
  }

export function Button(props: ButtonProps) {
  const { variant, size, icon, wide, busy = false, className, children, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled === true || busy}
      className={classNames(lookOf({ variant, size, wide }), className)}
    >
      {busy ? <Spinner /> : <Icon of={icon} />}
      {children}
    </button>
  )
}

type ButtonLinkProps = Look & {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  children: ReactNode
}

/** Goes to another address of the console. */
export function ButtonLink({
  to,
  params = {},
  search = {},
  variant,
  size,
  icon,
  wide,
  children,
}: ButtonLinkProps) {
  return (
    <Link to={to} params={params} search={search} className={lookOf({ variant, size, wide })}>
      <Icon of={icon} />
      {children}
    </Link>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon
  /** What it does: read out, and shown where the pointer rests. */
  label: string
  size?: 'small' | 'medium'
}

export function IconButton({ icon: Shape, label, size = 'medium', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={classNames(
          'inline-flex shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-55',
          size === 'small' ? 'size-8' : 'size-9',
          className,
        )}
      >
        <Shape aria-hidden size={size === 'small' ? 16 : 18} />
      </button>
    </Tooltip>
  )
}

const lookOf = ({
  variant = 'secondary',
  size = 'medium',
  wide,
}: Partial<Record<keyof Look, unknown>>): string =>
  classNames(base, variants[variant as Variant], sizes[size as Size], wide === true && 'w-full')

function Icon({ of: Shape }: { of: LucideIcon | undefined }) {
  return Shape === undefined ? null : <Shape aria-hidden size={16} className="shrink-0" />
}
