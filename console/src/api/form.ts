/** A form: what is typed, by field; what is sent of it; and what the server has against it, beside each input. */
import type { Atrium } from '@atrium/sdk'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { type Toast, useToasts } from '../ui/toast.tsx'
import { fieldErrorsOf } from './explain-error.ts'
import { useApiMutation } from './queries.ts'

type FormOptions<Fields, Result> = {
  initial: Fields
  write: (atrium: Atrium, fields: Fields) => Promise<Result>
  /** Keys of what it makes stale, as for `useApiMutation`. */
  changes?: readonly QueryKey[]
  /** Says what was done, as for `useApiAction`. */
  done?: (result: Result, sent: Fields) => Toast
  onDone?: (result: Result) => unknown
}

/** What an input needs of its field. */
export type FieldProps<Value> = { value: Value; onChange: (value: Value) => void; error: string | undefined }

/** `<TextField label="Name" {...of('name')} />` */
export type FieldOf<Fields> = <Name extends keyof Fields & string>(name: Name) => FieldProps<Fields[Name]>

/** For values that are kept elsewhere; `within` is what the API names before each of them, such as `limits.`. */
export const fieldOf =
  <Fields extends object>(
    fields: Fields,
    onChange: (fields: Fields) => void,
    errors: Readonly<Record<string, string>>,
    within = '',
  ): FieldOf<Fields> =>
  name => ({
    value: fields[name],
    onChange: value => onChange({ ...fields, [name]: value }),
    error: errors[within + name],
  })

/** Each key of `initial` is a field of the request, so that a fault of it stands beside its input. */
export function useForm<Fields extends object, Result>(options: FormOptions<Fields, Result>) {
  const { initial, write, changes = [], done, onDone } = options
  const [fields, setFields] = useState(initial)
  const { mutate, error, isPending, data } = useApiMutation(write, { changes })
  const toasts = useToasts()
  const errors = fieldErrorsOf(error)
  const onSuccess = (result: Result) => {
    if (done !== undefined) toasts.show(done(result, fields))
    void onDone?.(result)
  }
  return {
    fields,
    setFields,
    of: fieldOf(fields, setFields, errors),
    errors,
    /** What has been answered; undefined until then. */
    data,
    /** `<FormDialog {...sending}>` or `<SaveForm {...sending}>` */
    sending: {
      busy: isPending,
      error,
      beside: Object.keys(fields),
      onSubmit: () => mutate(fields, { onSuccess }),
    },
  }
}
