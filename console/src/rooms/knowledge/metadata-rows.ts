/** Metadata as rows that a person can write, and back as the API takes it. */
import type { Document } from '@atrium/sdk'

export type MetadataKind = 'text' | 'number' | 'yes-no' | 'list'
type Written = { kind: MetadataKind; value: string }

export type MetadataRow = Written & {
  id: number
  field: string
  /** What is stored; null in a new row. */
  original: { field: string; value: unknown } | null
}

export function rowsOf(metadata: Document['metadata']): MetadataRow[] {
  return Object.entries(metadata).map(([field, value], id) => ({
    id,
    field,
    ...writtenOf(value),
    original: { field, value },
  }))
}

/** Throws an `Error` whose message names the row that cannot be taken. */
export function metadataOf(rows: readonly MetadataRow[]): Record<string, unknown> {
  const metadata: Record<string, unknown> = {}
  for (const row of rows) {
    const name = nameOf(row)
    if (name === '' && row.value.trim() === '') continue
    if (name === '') throw new Error(`“${row.value}” has no name: give it one, or take the row away`)
    if (Object.hasOwn(metadata, name)) throw new Error(`There are two fields “${name}”: take one away`)
    metadata[name] = savedValue(name, row)
  }
  return metadata
}

const nameOf = ({ field, original }: MetadataRow): string =>
  field === original?.field ? field : field.trim()

function savedValue(name: string, row: MetadataRow): unknown {
  if (row.original === null) return typedValue(name, row, [])
  const { value } = row.original
  const stored = writtenOf(value)
  const isUntouched = row.kind === stored.kind && row.value === stored.value
  return isUntouched ? value : typedValue(name, row, Array.isArray(value) ? value : [])
}

function writtenOf(value: unknown): Written {
  if (Array.isArray(value)) return { kind: 'list', value: value.map(lineOf).join('\n') }
  if (typeof value === 'number') return { kind: 'number', value: String(value) }
  if (typeof value === 'boolean') return { kind: 'yes-no', value: value ? 'yes' : 'no' }
  return { kind: 'text', value: String(value) }
}

/** Each item of a list has one line, also an item that has a line break itself. */
const lineOf = (item: string): string => item.replaceAll(/[\r\n]+/g, ' ')

function typedValue(name: string, { kind, value }: Written, storedItems: readonly string[]): unknown {
  const trimmed = value.trim()
  switch (kind) {
    case 'text':
      return trimmed
    case 'yes-no':
      return trimmed === 'yes'
    case 'list':
      return itemsOf(value, storedItems)
    case 'number': {
      const number = Number(trimmed.replace(',', '.'))
      if (trimmed === '' || !Number.isFinite(number)) throw new Error(`“${name}” is no number: ${trimmed}`)
      return number
    }
  }
}

/** A line that a person has left alone stands for the item exactly as it is stored. */
function itemsOf(lines: string, storedItems: readonly string[]): string[] {
  const stored = new Map(storedItems.map(item => [lineOf(item), item]))
  const items = lines.split('\n').map(line => stored.get(line) ?? line.trim())
  return items.filter(item => item !== '')
}
