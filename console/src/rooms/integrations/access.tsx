/** How a service is opened: on a page of its own, or by something that is typed here. */

import type { Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useState } from 'react'
import { useScope } from '../../api/scope.tsx'
import { Choices } from '../../ui/choices.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { fieldsOf, initialOf, type SchemaField, type Typed, valuesOf } from './schema-values.ts'

type Way = { value: string; label: string; hint?: string; fields: readonly SchemaField[] }

export type Access = {
  ways: readonly Way[]
  way: Way | undefined
  choose(value: string): void
  typed: Typed
  type(typed: Typed): void
  /** What is sent: nothing where the person is asked on the service's own page. */
  body(): { credentials?: Record<string, unknown> }
}

export function useAccess(entry: Integration): Access {
  const { environment } = useScope()
  const ways = waysOf(entry, environment === 'test')
  const [chosen, choose] = useState('')
  const way = ways.find(({ value }) => value === chosen) ?? ways[0]
  const [typed, type] = useState<Typed>({})
  const fields = way?.fields ?? []
  return {
    ways,
    way,
    choose,
    typed: { ...initialOf(fields), ...typed },
    type,
    body: () => (fields.length === 0 ? {} : { credentials: valuesOf(fields, typed) }),
  }
}

export function AccessFields({
  entry,
  access,
  errors,
}: {
  entry: Integration
  access: Access
  errors: Readonly<Record<string, string>>
}) {
  const { ways, way, choose, typed, type } = access
  return (
    <>
      {ways.length > 1 && way !== undefined && (
        <Choices legend="How to open it" choices={ways} value={way.value} onChange={choose} />
      )}
      {way?.value === 'oauth2' ? (
        <p dir="auto" className="text-muted">
          {entry.name} asks you itself, on a page of its own, whether this workspace may reach it.
        </p>
      ) : (
        <SchemaFields
          secret
          fields={way?.fields ?? []}
          value={typed}
          onChange={type}
          within="credentials"
          errors={errors}
        />
      )}
    </>
  )
}

type Schema = { anyOf?: Schema[]; properties?: Record<string, unknown>; description?: string }

/** An authorization needs an OAuth client, except in the sandbox, which contacts no service. */
function waysOf(entry: Integration, isTest: boolean): Way[] {
  const schema = entry.credentialsSchema as Schema | null
  const typed = schema === null ? [] : (schema.anyOf ?? [schema])
  const ways: Way[] = typed.map(way => {
    const isKey = 'apiKey' in (way.properties ?? {})
    return withoutUndefined<Way>({
      value: isKey ? 'api_key' : 'basic',
      label: isKey ? 'By a key' : 'By name and password',
      hint: way.description,
      fields: fieldsOf(way),
    })
  })
  if (ways.length > 0 && entry.authKinds.includes('none')) {
    ways.push({ value: 'none', label: 'Without a key', hint: 'It is open to all.', fields: [] })
  }
  if (entry.auth !== 'oauth2' || !(entry.configured || isTest)) return ways
  const own = { value: 'oauth2', label: `On the page of ${entry.name}`, fields: [] }
  return [own, ...ways]
}

/** Whether there is any way in: an integration whose only way is an authorization needs a client first. */
export const canBeOpened = (entry: Integration, isTest: boolean): boolean =>
  entry.configured || isTest || entry.credentialsSchema !== null
