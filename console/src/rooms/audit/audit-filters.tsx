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
  const [record, setRecord] = useSearchValue('record')
  const [request, setRequest] = useSearchValue('request')
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
      {record !== '' && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          Only changes of <span className="font-mono text-[13px] break-all text-ink">{record}</span>
          <Button size="small" icon={X} onClick={() => setRecord('')}>
            Of every record
          </Button>
        </p>
      )}
      {request !== '' && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          Only changes by the request{' '}
          <span className="font-mono text-[13px] break-all text-ink">{request}</span>
          <Button size="small" icon={X} onClick={() => setRequest('')}>
            By every request
          </Button>
        </p>
      )}
    </div>
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
