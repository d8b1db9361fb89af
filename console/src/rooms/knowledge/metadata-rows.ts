/** Metadata as rows that a person can write, and back as the API takes it. */

export type MetadataKind = 'text' | 'number' | 'yes-no' | 'list'
export type MetadataRow = { id: number; field: string; kind: MetadataKind; value: string }

export function rowsOf(metadata: Readonly<Record<string, unknown>>): MetadataRow[] {
  return Object.entries(metadata).map(([field, value], id) => ({ id, field, ...writtenOf(value) }))
}

/** Throws an `Error` whose message names the row that cannot be taken. */
export function metadataOf(rows: readonly MetadataRow[]): Record<string, unknown> {
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
