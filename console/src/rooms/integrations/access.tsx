/** How a service is opened: on a page of its own, or by something that is typed here. */
import type { Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { statusWords } from './connections.ts'
import {
  fieldsOf,
  initialOf,
  type SchemaField,
  SchemaFields,
  type Typed,
  valuesOf,
} from './schema-fields.tsx'

type Way = { value: string; label: string; hint?: string; fields: readonly SchemaField[] }

type Access = ReturnType<typeof useAccess>

export function useAccess(entry: Integration) {
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
    /** What is sent: nothing where the person is asked on the service's own page. */
    body: (): { credentials?: Record<string, unknown> } => {
      const credentials = valuesOf(fields, typed)
      return Object.keys(credentials).length === 0 && fields.every(({ required }) => !required)
        ? {}
        : { credentials }
    },
  }
}

type AccessFieldsProps = { entry: Integration; access: Access; errors: Readonly<Record<string, string>> }

export function AccessFields({ entry, access, errors }: AccessFieldsProps) {
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

/** By the field that tells each from the others. */
const kinds = [
  ['api_key', 'By a key', 'apiKey'],
  ['headers', 'By secret headers', 'headers'],
  ['basic', 'By name and password', 'username'],
  ['mcp', 'As the server asks', 'clientSecret'],
] as const

type Schema = { anyOf?: Schema[]; properties?: Record<string, unknown>; description?: string }

/** An authorization needs an OAuth client, except in the sandbox, which contacts no service. */
function waysOf(entry: Integration, isTest: boolean): Way[] {
  const schema = entry.credentialsSchema as Schema | null
  const typed = schema === null ? [] : (schema.anyOf ?? [schema])
  const ways: Way[] = typed.map(way => {
    const [value, label] = kinds.find(([, , field]) => field in (way.properties ?? {})) ?? kinds[0]
    return withoutUndefined<Way>({ value, label, hint: way.description, fields: fieldsOf(way) })
  })
  if (ways.length > 0 && entry.authKinds.includes('none')) {
    ways.push({ value: 'none', label: 'Without a key', hint: 'It is open to all.', fields: [] })
  }
  if (entry.auth === 'mcp') {
    const hint = 'Nothing if it is open to all. Otherwise you sign in on the page that it names.'
    const secret = ways.find(({ value }) => value === 'mcp')?.fields ?? []
    // Most services give the client no secret.
    const fields = secret.map(field => ({ ...field, required: false }))
    const others = ways.filter(({ value }) => value !== 'mcp')
    return [{ value: 'mcp', label: 'As the server asks', hint, fields }, ...others]
  }
  if (entry.auth !== 'oauth2' || !(entry.configured || isTest)) return ways
  const own = { value: 'oauth2', label: `On the page of ${entry.name}`, fields: [] }
  return [own, ...ways]
}

/** Whether there is any way in: an integration whose only way is an authorization needs a client first. */
export const canBeOpened = (entry: Integration, isTest: boolean): boolean =>
  entry.configured || isTest || entry.credentialsSchema !== null

const pendingMs = 2_000

type AuthorizeProps = {
  entry: Integration
  connectionId: string
  /** The page of this server that leads to the service, and that only this browser can finish. */
  connectUrl: string
}

/** While a person authorizes the connection on the service's own page: the way there, and what has become of it. */
export function Authorize({ entry, connectionId, connectUrl }: AuthorizeProps) {
  const { data, error } = useApiQuery(
    ['integrations', 'connections', connectionId],
    (atrium, options) => atrium.integrations.get(connectionId, options),
    { refetchInterval: found => (found === undefined || found.status === 'pending' ? pendingMs : false) },
  )
  const status = data?.status ?? 'pending'
  return (
    <Card title={status === 'pending' ? `Authorize it at ${entry.name}` : statusWords[status].label}>
      <div className="flex flex-col items-start gap-4">
        {status === 'pending' && (
          <>
            <p>
              A tab of its own says once more what will be connected, and leads to the page of {entry.name}.
              Come back here when you have agreed: the link can be used for ten minutes.
            </p>
            <a
              href={connectUrl}
              target="_blank"
              rel="noreferrer"
              className="inline-flex h-9 items-center gap-2 rounded-md bg-accent px-4 font-medium text-accent-ink shadow-card hover:bg-accent-hover"
            >
              Continue to {entry.name}
              <ExternalLink aria-hidden size={16} />
            </a>
          </>
        )}
        <div role="status" className="w-full">
          {status === 'active' && <Notice tone="good">{entry.name} is connected.</Notice>}
          {status !== 'active' && status !== 'pending' && (
            <Notice tone="danger">
              {data?.lastError?.message ?? 'It was not authorized.'} Go back, and connect it once more.
            </Notice>
          )}
        </div>
        <ErrorNotice error={error} />
        <ButtonLink to="/integrations">Back to the integrations</ButtonLink>
      </div>
    </Card>
  )
}
