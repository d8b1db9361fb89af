/** Which changes are listed: by what was done, by whom, with which key. */
import type { AuditEntry } from '@atrium/sdk'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { Form, SelectField, TextField } from '../../ui/field.tsx'
import type { Authors } from './authors.ts'

type Props = { authors: Authors; seen: readonly AuditEntry[] }

export function AuditFilters({ authors, seen }: Props) {
  const [person, setPerson] = useSearchValue('person')
  const [key, setKey] = useSearchValue('key')
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <ActionField seen={seen} />
        <SelectField
          label="Person"
          value={person}
          onChange={setPerson}
          emptyLabel="Every person"
          options={optionsOf(authors.people)}
        />
        <SelectField
          label="Key"
          value={key}
          onChange={setKey}
          emptyLabel="With and without a key"
          options={optionsOf(authors.keys)}
        />
      </div>
      <OnlyOne parameter="record" what="Only changes of" back="Of every record" />
      <OnlyOne parameter="request" what="Only changes by the request" back="By every request" />
    </div>
  )
}

/** Nothing while the address does not name one. */
function OnlyOne({ parameter, what, back }: { parameter: string; what: string; back: string }) {
  const [id, setId] = useSearchValue(parameter)
  if (id === '') return null
  return (
    <p className="flex flex-wrap items-center gap-2 text-muted">
      {what} <span className="font-mono text-[13px] break-all text-ink">{id}</span>
      <Button size="small" icon={X} onClick={() => setId('')}>
        {back}
      </Button>
    </p>
  )
}

const optionsOf = (named: Authors['people']) => named.map(({ id, name }) => ({ value: id, label: name }))

function ActionField({ seen }: { seen: readonly AuditEntry[] }) {
  const [action, setAction] = useSearchValue('action')
  const [typed, setTyped] = useState(action)
  useEffect(() => setTyped(action), [action])
  const listId = useId()
  const known = [...new Set(seen.map(entry => entry.action))].toSorted()
  return (
    <Form className="flex items-end gap-2" onSubmit={() => setAction(typed.trim())}>
      <div className="min-w-0 flex-1">
        <TextField
          label="Action"
          type="search"
          list={listId}
          maxLength={100}
          placeholder="agent.create"
          value={typed}
          onChange={text => {
            setTyped(text)
            // What is picked from the list, and what is emptied, needs no further press.
            if (text === '' || known.includes(text)) setAction(text)
          }}
        />
        <datalist id={listId}>
          {known.map(one => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      <Button type="submit" icon={Search} aria-label="List this action only" />
    </Form>
  )
}
