/** The fields that every document has besides its metadata, as a filter names them. */

type Kind = 'string' | 'number' | 'date'

type BuiltIn = {
  kind: Kind
  column: 'id' | 'name' | 'title' | 'external_id' | 'media_type' | 'size_bytes' | 'created_at' | 'updated_at'
}

const known: Readonly<Record<string, BuiltIn>> = {
  $id: { kind: 'string', column: 'id' },
  $name: { kind: 'string', column: 'name' },
  $title: { kind: 'string', column: 'title' },
  $externalId: { kind: 'string', column: 'external_id' },
  $mediaType: { kind: 'string', column: 'media_type' },
  $sizeBytes: { kind: 'number', column: 'size_bytes' },
  $createdAt: { kind: 'date', column: 'created_at' },
  $updatedAt: { kind: 'date', column: 'updated_at' },
}

export const builtInFields: readonly string[] = Object.keys(known)

/** Null for a field of the metadata. */
export const builtInField = (name: string): BuiltIn | null =>
  Object.hasOwn(known, name) ? (known[name] ?? null) : null

export const builtInKind = (name: string): Kind | null => builtInField(name)?.kind ?? null
