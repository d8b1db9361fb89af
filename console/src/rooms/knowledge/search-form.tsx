/** What to look for, and where and how. */
import type { Collection } from '@atrium/sdk'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choices.tsx'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'

export type SearchValues = {
  query: string
  /** Empty for all. */
  collection: string
  mode: 'auto' | 'text' | 'vector' | 'hybrid'
  /** JSON, as the API takes it; empty for none. */
  filter: string
  explain: boolean
}

const modes: readonly { value: SearchValues['mode']; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'text', label: 'By words' },
  { value: 'vector', label: 'By meaning' },
  { value: 'hybrid', label: 'By both' },
]

type Props = {
  values: SearchValues
  collections: readonly Collection[]
  onSearch: (values: SearchValues) => void
}

export function SearchForm({ values: given, collections, onSearch }: Props) {
  const [values, setValues] = useState(given)
  // The way back leads to an earlier search.
  useEffect(() => setValues(given), [given])
  const change = (part: Partial<SearchValues>) => setValues({ ...values, ...part })
  const filterFault =
    values.filter.trim() === '' || isJson(values.filter) ? undefined : 'This is no JSON yet.'
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        if (filterFault === undefined)
          onSearch({ ...values, query: values.query.trim(), filter: values.filter.trim() })
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <Field label="Question or words">
            <Input
              type="search"
              required
              autoFocus={given.query === ''}
              maxLength={4_000}
              placeholder="How many days of leave are there?"
              value={values.query}
              onChange={event => change({ query: event.currentTarget.value })}
            />
          </Field>
        </div>
        <Button type="submit" variant="primary" icon={Search}>
          Search
        </Button>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="In">
          <Select
            value={values.collection}
            onChange={event => change({ collection: event.currentTarget.value })}
          >
            <option value="">All collections</option>
            {values.collection !== '' && collections.every(({ id }) => id !== values.collection) && (
              <option value={values.collection}>{values.collection}</option>
            )}
            {collections.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="How">
          <Select
            value={values.mode}
            onChange={event =>
              change({
                mode: modes.find(({ value }) => value === event.currentTarget.value)?.value ?? 'auto',
              })
            }
          >
            {modes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <details open={given.filter !== ''} className="min-w-0">
        <summary className="w-fit font-medium text-muted hover:text-ink">Narrow by metadata</summary>
        <div className="mt-3">
          <Field
            label="Filter"
            hint={
              <>
                Such as{' '}
                <code className="font-mono text-[12px] [overflow-wrap:anywhere]">
                  {'{"field": "department", "op": "eq", "value": "people"}'}
                </code>
                ; joined by and, or, not.
              </>
            }
            error={filterFault}
          >
            <Textarea
              rows={3}
              spellCheck={false}
              maxLength={16_000}
              className="font-mono"
              value={values.filter}
              onChange={event => change({ filter: event.currentTarget.value })}
            />
          </Field>
        </div>
      </details>
      <Switch
        label="Explain the order"
        hint="Shows what each score is made of."
        checked={values.explain}
        onChange={explain => {
          change({ explain })
          // The option changes the results on screen, so they update without another search by hand.
          if (given.query !== '') onSearch({ ...given, explain })
        }}
      />
    </form>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
