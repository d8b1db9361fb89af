/** What is known of a document: its title and metadata, which can be changed, and the facts of its file. */

import type { Atrium, Document } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form, SelectField, TextareaField, TextField } from '../../ui/field.tsx'
import { formatBytes, formatMoment, formatNumber } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges } from './changes.ts'
import { type MetadataKind, type MetadataRow, metadataOf, rowsOf } from './metadata-rows.ts'

type Props = { document: Document; mayWrite: boolean }
type Change = Parameters<Atrium['knowledge']['documents']['update']>[1]

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
  const [base, setBase] = useState(document)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, change: Change) => atrium.knowledge.documents.update(id, change),
    { changes: documentChanges },
  )
  const save = () => {
    setFault(null)
    try {
      const change = changeOf(title, metadataOf(rows), base)
      if (Object.keys(change).length === 0) {
        toasts.show({ title: 'There is nothing to save' })
        return
      }
      mutate(change, {
        onSuccess: saved => {
          setBase(saved)
          toasts.show({ title: 'The details are changed' })
        },
      })
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

/** Only what differs, so that a change of the title keeps the metadata that a program writes meanwhile. */
function changeOf(title: string, metadata: Record<string, unknown>, base: Document): Change {
  const isSame = JSON.stringify(metadata) === JSON.stringify(base.metadata)
  return withoutUndefined<Change>({
    title: title === (base.title ?? '') ? undefined : title.trim() || undefined,
    // Its values were made of the kinds that the API has.
    metadata: isSame ? undefined : (metadata as Record<string, string>),
  })
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
      {
        id: Math.max(-1, ...rows.map(({ id }) => id)) + 1,
        field: '',
        kind: 'text',
        value: '',
        original: null,
      },
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
          className="flex flex-wrap items-start gap-2 border-b pb-3 sm:flex-nowrap sm:border-b-0 sm:pb-0"
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
  if (kind === 'list' || /[\r\n]/.test(value)) {
    return (
      <TextareaField
        label={label}
        labelHidden
        hint={kind === 'list' ? 'One item a line' : undefined}
        rows={Math.min(8, Math.max(2, value.split('\n').length))}
        value={value}
        onChange={onChange}
      />
    )
  }
  return (
    <TextField
      label={label}
      labelHidden
      placeholder="Value"
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
