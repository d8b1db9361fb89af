/** What is known of a document: its title and metadata, which can be changed, and the facts of its file. */

import type { Document } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form, SelectField, TextField } from '../../ui/field.tsx'
import { formatBytes, formatMoment, formatNumber } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges } from './changes.ts'

type Props = { document: Document; mayWrite: boolean }

export function DocumentDetails({ document, mayWrite }: Props) {
  return (
    <div className="grid min-w-0 gap-6 lg:grid-cols-[3fr_2fr]">
      <Changeable document={document} mayWrite={mayWrite} />
      <FileCard document={document} />
    </div>
  )
}

function Changeable({ document, mayWrite }: Props) {
  const { id } = document
  const toasts = useToasts()
  const [title, setTitle] = useState(document.title ?? '')
  const [rows, setRows] = useState(() => rowsOf(document.metadata))
  const [fault, setFault] = useState<string | null>(null)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, metadata: Record<string, unknown>) =>
      atrium.knowledge.documents.update(
        id,
        withoutUndefined({
          title: title.trim() || undefined,
          // Its values were made of the kinds that the API has.
          metadata: metadata as Record<string, string>,
        }),
      ),
    { changes: documentChanges },
  )
  const save = () => {
    try {
      mutate(metadataOf(rows), { onSuccess: () => toasts.show({ title: 'The details are changed' }) })
      setFault(null)
    } catch (thrown) {
      setFault(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  return (
    <Card title="Title and metadata" description="Searches find the title, and can be narrowed by metadata.">
      <Form onSubmit={save}>
        <fieldset disabled={!mayWrite} className="flex min-w-0 flex-col gap-5">
          <legend className="sr-only">Title and metadata</legend>
          <TextField
            label="Title"
            error={fieldErrorsOf(error).title}
            maxLength={500}
            value={title}
            onChange={setTitle}
          />
          <MetadataFields rows={rows} onChange={setRows} mayWrite={mayWrite} />
          {fault !== null && (
            <p role="alert" className="text-danger-text">
              {fault}
            </p>
          )}
          <ErrorNotice error={error} />
          {mayWrite && (
            <div>
              <Button type="submit" variant="primary" busy={isPending}>
                Save
              </Button>
            </div>
          )}
        </fieldset>
      </Form>
    </Card>
  )
}

const kinds: readonly { value: MetadataKind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'yes-no', label: 'Yes or no' },
  { value: 'list', label: 'List' },
]

const mostFields = 50

type MetadataFieldsProps = {
  rows: readonly MetadataRow[]
  onChange: (rows: MetadataRow[]) => void
  mayWrite: boolean
}

function MetadataFields({ rows, onChange, mayWrite }: MetadataFieldsProps) {
  const change = (id: number, part: Partial<MetadataRow>) =>
    onChange(rows.map(row => (row.id === id ? { ...row, ...part } : row)))
  const add = () =>
    onChange([
      ...rows,
      { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, field: '', kind: 'text', value: '' },
    ])
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="font-medium">Metadata</p>
      {rows.length === 0 && (
        <p className="text-muted">
          None yet. Fields such as “department” or “year” let searches choose by them.
        </p>
      )}
      {rows.map((row, place) => (
        <div
          key={row.id}
          className="flex flex-wrap items-end gap-2 border-b pb-3 sm:flex-nowrap sm:border-b-0 sm:pb-0"
        >
          <div className="w-full sm:w-1/3">
            <TextField
              label={`Name of field ${place + 1}`}
              labelHidden
              placeholder="Field"
              maxLength={100}
              value={row.field}
              onChange={text => change(row.id, { field: text })}
            />
          </div>
          <div className="min-w-0 flex-1 sm:w-32 sm:flex-none">
            <SelectField
              label={`Kind of field ${place + 1}`}
              labelHidden
              value={row.kind}
              onChange={kind => change(row.id, changedKind(kind, row.value))}
              options={kinds}
            />
          </div>
          <div className="order-last basis-full sm:order-none sm:min-w-0 sm:flex-1 sm:basis-0">
            <MetadataValue row={row} place={place} onChange={value => change(row.id, { value })} />
          </div>
          {mayWrite && (
            <IconButton
              icon={Trash2}
              label={`Take away field ${place + 1}`}
              onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
            />
          )}
        </div>
      ))}
      {mayWrite && rows.length < mostFields && (
        <div>
          <Button size="small" icon={Plus} onClick={add}>
            Add a field
          </Button>
        </div>
      )}
    </div>
  )
}

/** “Yes or no” knows no other value. */
const changedKind = (kind: MetadataKind, value: string): Partial<MetadataRow> =>
  kind === 'yes-no' && value !== 'yes' ? { kind, value: 'no' } : { kind }

type MetadataValueProps = { row: MetadataRow; place: number; onChange: (value: string) => void }

function MetadataValue({ row: { kind, value }, place, onChange }: MetadataValueProps) {
  const label = `Value of field ${place + 1}`
  if (kind === 'yes-no') {
    return (
      <SelectField
        label={label}
        labelHidden
        value={value}
        onChange={onChange}
        options={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
      />
    )
  }
  return (
    <TextField
      label={label}
      labelHidden
      placeholder={kind === 'list' ? 'One, two, three' : 'Value'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      value={value}
      onChange={onChange}
    />
  )
}

function FileCard({ document }: { document: Document }) {
  const { id, externalId, name, mediaType, sizeBytes, pageCount, chunkCount, createdAt, updatedAt } = document
  return (
    <Card title="File">
      <Facts
        look="lines"
        facts={[
          { name: 'Name', value: name },
          { name: 'Type', value: mediaType },
          { name: 'Size', value: formatBytes(sizeBytes) },
          { name: 'Pages', value: pageCount && formatNumber(pageCount) },
          { name: 'Passages that can be found', value: formatNumber(chunkCount) },
          { name: 'External id', value: externalId },
          { name: 'Added', value: formatMoment(createdAt) },
          { name: 'Changed', value: formatMoment(updatedAt) },
        ]}
      />
      <CopyField label="Id for the API" what="id" value={id} />
    </Card>
  )
}

/** Metadata as rows that a person can write, and back as the API takes it. */
type MetadataKind = 'text' | 'number' | 'yes-no' | 'list'
type MetadataRow = { id: number; field: string; kind: MetadataKind; value: string }

function rowsOf(metadata: Readonly<Record<string, unknown>>): MetadataRow[] {
  return Object.entries(metadata).map(([field, value], id) => ({ id, field, ...writtenOf(value) }))
}

/** Throws an `Error` whose message names the row that cannot be taken. */
function metadataOf(rows: readonly MetadataRow[]): Record<string, unknown> {
  const named = rows.filter(({ field, value }) => field.trim() !== '' || value.trim() !== '')
  const metadata: Record<string, unknown> = {}
  for (const { field, kind, value } of named) {
    const name = field.trim()
    if (name === '') throw new Error(`“${value}” has no name: give it one, or take the row away`)
    if (Object.hasOwn(metadata, name)) throw new Error(`There are two fields “${name}”: take one away`)
    metadata[name] = typedValue(name, kind, value)
  }
  return metadata
}

function writtenOf(value: unknown): Pick<MetadataRow, 'kind' | 'value'> {
  if (Array.isArray(value)) return { kind: 'list', value: value.join(', ') }
  if (typeof value === 'number') return { kind: 'number', value: String(value) }
  if (typeof value === 'boolean') return { kind: 'yes-no', value: value ? 'yes' : 'no' }
  return { kind: 'text', value: String(value) }
}

function typedValue(name: string, kind: MetadataKind, value: string): unknown {
  const trimmed = value.trim()
  switch (kind) {
    case 'text':
      return trimmed
    case 'yes-no':
      return trimmed === 'yes'
    case 'list':
      return trimmed
        .split(',')
        .map(item => item.trim())
        .filter(item => item !== '')
    case 'number': {
      const number = Number(trimmed.replace(',', '.'))
      if (trimmed === '' || !Number.isFinite(number)) throw new Error(`“${name}” is no number: ${trimmed}`)
      return number
    }
  }
}
