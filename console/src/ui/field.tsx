/** Forms, and labelled inputs with their hint and their error, joined for those who hear the page. */
import { Eye, EyeOff } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { classNames } from './class-names.ts'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }

/** Brings what is wrong into view, and the focus to the first field that has to be changed. */
export function useShownFault(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error == null) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (field == null) form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
    else {
      field.focus()
      field.scrollIntoView({ block: 'center' })
    }
  }, [error])
  return form
}

/** Its fields stand below each other; it is sent by script, never by the browser. */
export function Form({ onSubmit, className = 'flex min-w-0 flex-col gap-5', ...rest }: FormProps) {
  return (
    <form
      {...rest}
      className={className}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

type LabelProps = {
  label: string
  /** What belongs there, said before a person errs. */
  hint?: ReactNode
  /** What is wrong and what to do about it; `fieldErrorsOf(error).name` gives it for a refused request. */
  error?: string | undefined
  optional?: boolean | undefined
  /** The label is read out, but not seen. */
  labelHidden?: boolean | undefined
  /** Stands at the end of the label's line, such as a link. */
  aside?: ReactNode
}

type ControlIds = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

function Labelled({ of, children }: { of: LabelProps; children: (ids: ControlIds) => ReactNode }) {
  const { label, hint, error, optional = false, labelHidden = false, aside } = of
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
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error !== undefined || undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** What is wrong with an input, or with several that belong together. */
export function FieldError({ id, children }: { id?: string; children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p id={id} dir="auto" role="alert" className="text-[13px] text-danger-text">
      {children}
    </p>
  )
}

const box =
  'w-full min-w-0 rounded-md border border-edge/60 bg-surface px-3 text-base text-ink shadow-card transition-colors placeholder:text-faint hover:border-edge disabled:opacity-60 sm:text-sm aria-invalid:border-danger-text'

type TextFieldProps = LabelProps &
  Omit<ComponentProps<'input'>, 'onChange'> & { onChange?: (text: string) => void; secret?: boolean }

/** A line of text; a secret one can be shown while it is typed, so that people need not type it twice. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, optional, labelHidden, aside, onChange, secret = false, ...rest } = props
  return (
    <Labelled of={props}>
      {ids => {
        const input = {
          ...rest,
          ...ids,
          onChange: (event: { currentTarget: HTMLInputElement }) => onChange?.(event.currentTarget.value),
        }
        return secret ? <SecretInput {...input} /> : <Input {...input} />
      }}
    </Labelled>
  )
}

function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input dir="auto" {...rest} className={classNames(box, 'h-9', className)} />
}

function SecretInput(props: ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  const Shape = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-11" />
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

type NewPasswordFieldProps = Omit<TextFieldProps, 'hint' | 'secret' | 'minLength' | 'maxLength'>

/** What the server takes as a password is said before a person chooses one. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  return (
    <TextField
      {...props}
      secret
      required
      minLength={10}
      maxLength={128}
      autoComplete="new-password"
      hint="At least 10 characters. Several words in a row are easy to remember and hard to guess."
    />
  )
}

type TextareaFieldProps = LabelProps &
  Omit<ComponentProps<'textarea'>, 'onChange'> & { onChange: (text: string) => void }

export function TextareaField(props: TextareaFieldProps) {
  const { label, hint, error, optional, labelHidden, aside, onChange, className, ...rest } = props
  return (
    <Labelled of={props}>
      {ids => (
        <textarea
          dir="auto"
          rows={4}
          {...rest}
          {...ids}
          onChange={event => onChange(event.currentTarget.value)}
          className={classNames(box, 'resize-y py-2', className)}
        />
      )}
    </Labelled>
  )
}

type SelectFieldProps<Value extends string> = LabelProps & {
  value: Value
  onChange: (value: Value) => void
  /** What stands first and chooses nothing; its value is empty. */
  emptyLabel?: string | undefined
  /** A value that is not among them, such as one of an address, stands last. */
  options: readonly { value: Value; label: string }[]
  /** Further options below them, such as groups. */
  children?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** The browser's own: it works by keyboard, by touch and by voice everywhere. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, error, optional, labelHidden, aside, onChange, ...input } = props
  const { emptyLabel, options, children, ...rest } = input
  const isEmpty = emptyLabel !== undefined && rest.value === ''
  const isListed = isEmpty || children !== undefined || options.some(({ value }) => value === rest.value)
  return (
    <Labelled of={props}>
      {ids => (
        <select
          {...rest}
          {...ids}
          // The options are all that can be chosen.
          onChange={event => onChange(event.currentTarget.value as Value)}
          className={classNames(box, 'h-9 pr-8')}
        >
          {emptyLabel !== undefined && <option value="">{emptyLabel}</option>}
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
          {children}
          {!isListed && <option value={rest.value}>{rest.value}</option>}
        </select>
      )}
    </Labelled>
  )
}
