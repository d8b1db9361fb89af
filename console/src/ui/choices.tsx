/** Things that are on or off, and one of several. */
import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { FieldError } from './field.tsx'

type CheckboxProps = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  /** Some of what it stands for is chosen. */
  mixed?: boolean
}

export function Checkbox({ label, hint, checked, onChange, disabled = false, mixed = false }: CheckboxProps) {
  const id = useId()
  return (
    <div className={classNames('flex items-start gap-2.5', disabled && 'opacity-60')}>
      <input
        ref={input => {
          if (input !== null) input.indeterminate = mixed
        }}
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={event => onChange(event.currentTarget.checked)}
        className="mt-0.5 size-4 shrink-0"
      />
      <Caption of={id} className="block" label={label} hint={hint} />
    </div>
  )
}

/** Takes effect at once; what waits for a button is a checkbox. */
export function Switch({ label, hint, checked, onChange }: Omit<CheckboxProps, 'disabled' | 'mixed'>) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <Caption of={id} className="font-medium" label={label} hint={hint} />
      <Radix.Root
        id={id}
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onCheckedChange={onChange}
        className="flex h-6 w-10 shrink-0 items-center rounded-full bg-edge p-0.5 transition-colors data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="size-5 rounded-full bg-accent-ink shadow-card transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  )
}

type CaptionProps = Pick<CheckboxProps, 'label' | 'hint'> & {
  /** The id of the input; that of the hint goes on from it. */
  of: string
  className: string
}

function Caption({ of, className, label, hint }: CaptionProps) {
  return (
    <div className="min-w-0">
      <label htmlFor={of} className={className}>
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${of}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

type Choice<Value extends string> = { value: Value; label: string; hint?: string; disabled?: boolean }

type ChoicesProps<Value extends string> = {
  legend: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  error?: string | undefined
}

/** One of a few, each with what it means; more than five belong into a Select. */
export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { legend, choices, value, onChange, error } = props
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(200px,100%),1fr))] gap-2">
        {choices.map(choice => (
          <label
            key={choice.value}
            className="flex items-start gap-2.5 rounded-md border border-edge/60 bg-surface p-3 shadow-card transition-colors hover:border-edge has-checked:border-accent-text has-checked:bg-accent-soft has-disabled:opacity-60"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled === true}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0">
              <span className="block font-medium">{choice.label}</span>
              {choice.hint !== undefined && (
                <span className="block text-[13px] text-muted">{choice.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldError>{error}</FieldError>
    </fieldset>
  )
}
