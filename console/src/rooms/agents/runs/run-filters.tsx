/** Which runs are shown; kept in the address, so that a list can be sent to somebody. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useSearchValue } from '../../../api/search-values.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { type RunStatus, runStatuses, runStatusLabel } from '../run-status.tsx'

type Filter = {
  status?: RunStatus
  feedback?: 'positive' | 'negative'
  endUserId?: string
  conversationId?: string
  createdAfter?: string
  createdBefore?: string
}

const dayMs = 86_400_000

export function useRunFilter(): { filter: Filter; isSet: boolean; clear: () => void } {
  const [status] = useSearchValue('status')
  const [feedback] = useSearchValue('feedback')
  const [endUserId] = useSearchValue('user')
  const [conversationId] = useSearchValue('conversation')
  const [from] = useSearchValue('from')
  const [until] = useSearchValue('until')
  const navigate = useNavigate()
  const filter = useMemo<Filter>(
    () =>
      withoutUndefined({
        status: runStatuses.some(one => one === status) ? (status as RunStatus) : undefined,
        feedback: feedback === 'positive' || feedback === 'negative' ? feedback : undefined,
        endUserId: endUserId === '' ? undefined : endUserId,
        conversationId: conversationId === '' ? undefined : conversationId,
        createdAfter: dayOf(from) === null ? undefined : new Date(dayOf(from) ?? 0).toISOString(),
        // The last day counts to its end.
        createdBefore:
          dayOf(until) === null ? undefined : new Date((dayOf(until) ?? 0) + dayMs).toISOString(),
      }),
    [status, feedback, endUserId, conversationId, from, until],
  )
  const clear = () => void navigate({ to: '.', search: {}, replace: true })
  return { filter, isSet: Object.keys(filter).length > 0, clear }
}

/** The start of the day in the browser’s time zone; null if the text is not a date. */
function dayOf(text: string): number | null {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : Number.NaN
  return Number.isNaN(time) ? null : time
}

export function RunFilters() {
  const [status, setStatus] = useSearchValue('status')
  const [feedback, setFeedback] = useSearchValue('feedback')
  const [from, setFrom] = useSearchValue('from')
  const [until, setUntil] = useSearchValue('until')
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-3 lg:grid-cols-5">
      <legend className="sr-only">Filters</legend>
      <Field label="State">
        <Select value={status} onChange={event => setStatus(event.currentTarget.value)}>
          <option value="">All</option>
          {runStatuses.map(one => (
            <option key={one} value={one}>
              {runStatusLabel(one)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Rating">
        <Select value={feedback} onChange={event => setFeedback(event.currentTarget.value)}>
          <option value="">All</option>
          <option value="positive">Good</option>
          <option value="negative">Bad</option>
        </Select>
      </Field>
      <Field label="From">
        <Input type="date" value={from} onChange={event => setFrom(event.currentTarget.value)} />
      </Field>
      <Field label="Until">
        <Input type="date" value={until} onChange={event => setUntil(event.currentTarget.value)} />
      </Field>
      <EndUserFilter />
    </fieldset>
  )
}

/** Searches on submit, because only a complete id matches. */
function EndUserFilter() {
  const [endUserId, setEndUserId] = useSearchValue('user')
  const [text, setText] = useState(endUserId)
  return (
    <form
      className="col-span-2 flex items-end gap-2 lg:col-span-1"
      onSubmit={event => {
        event.preventDefault()
        setEndUserId(text.trim())
      }}
    >
      <div className="min-w-0 flex-1">
        <Field label="End user">
          <Input
            maxLength={200}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            onBlur={() => text.trim() !== endUserId && setEndUserId(text.trim())}
          />
        </Field>
      </div>
      <Button type="submit">Find</Button>
    </form>
  )
}
