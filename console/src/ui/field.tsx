/** A labelled input with its hint and its error, joined for those who hear the page; and the inputs that go into it. */
import { Eye, EyeOff } from 'lucide-react'
import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  use,
  useId,
  useState,
} from 'react'
import { classNames } from './class-names.ts'

type FieldIds = { id: string; describedBy: string | undefined; invalid: boolean }

const FieldContext = createContext<FieldIds | null>(null)

type FieldProps = {
  label: string
  /** What belongs there, said before anybody errs. */
  hint?: ReactNode
  /** What is wrong and what to do about it; `fieldErrorsOf(error).name` gives it for a refused request. */
  error?: string | undefined
  optional?: boolean
  /** The label is read out, but not seen. */
  labelHidden?: boolean
  /** Stands at the end of the label's line, such as a link. */
  aside?: ReactNode
  children: ReactNode
}

export function Field({
  label,
  hint,
  error,
  optional = false,
  labelHidden = false,
  aside,
  children,
}: FieldProps) {
  const id = useId()
  const described = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`]
  const describedBy = described.filter(part => part !== null).join(' ') || undefined
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className={classNames('flex items-baseline justify-between gap-4', labelHidden && 'sr-only')}>
        <label htmlFor={id} className="font-medium">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside}
      </div>
      <FieldContext value={{ id, describedBy, invalid: error !== undefined }}>{children}</FieldContext>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-[13px] text-danger-text">
          {error}
        </p>
      )}
    </div>
  )
}

const box =
  'w-full min-w-0 rounded-md border border-edge/60 bg-surface px-3 text-base text-ink shadow-card transition-colors placeholder:text-faint hover:border-edge disabled:opacity-60 sm:text-sm aria-invalid:border-danger-text'

function useField(given: { id?: string | undefined }) {
  const field = use(FieldContext)
  if (field === null) return given
  return {
    ...given,
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
  }
}

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

export function Input({ className, ...rest }: InputProps) {
  return <input dir="auto" {...rest} {...useField(rest)} className={classNames(box, 'h-9', className)} />
}

/** A password that can be shown while typing, so that people need not type it twice. */
export function PasswordInput({ className, ...rest }: InputProps) {
  const [shown, setShown] = useState(false)
  const Shape = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...rest} type={shown ? 'text' : 'password'} className={classNames('pr-11', className)} />
      <button
        type="button"
        aria-label={shown ? 'Hide the password' : 'Show the password'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-md text-muted hover:text-ink"
      >
        <Shape aria-hidden size={16} />
      </button>
    </div>
  )
}

export function Textarea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return (
    <textarea
      dir="auto"
      rows={4}
      {...rest}
      {...useField(rest)}
      className={classNames(box, 'resize-y py-2', className)}
    />
  )
}

/** The browser's own: it works by keyboard, by touch and by voice everywhere. */
export function Select({
  className,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return <select {...rest} {...useField(rest)} className={classNames(box, 'h-9 pr-8', className)} />
}
