/** What the search of the pages looks through: operations, fields, error codes and settings, and sections of guides. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Guide } from './guides.ts'
import { plainText, type Section, sectionsOf } from './markdown.ts'
import type { Group } from './model/groups.ts'
import { codesOf, type Endpoint, type OpenApi, objectsIn, type Schema } from './model/open-api.ts'
import { groupAddress } from './pages.ts'

/** Short names, since there are thousands: kind, title, address, further names to find it by, and its text. */
type Entry = {
  k: 'operation' | 'event' | 'field' | 'term' | 'guide'
  t: string
  a: string
  n: string
  x: string
}

export function searchIndex(openApi: OpenApi, groups: readonly Group[], guides: readonly Guide[]): string {
  const operations = groups.flatMap(group => group.endpoints.map(endpoint => operationEntry(group, endpoint)))
  return JSON.stringify([
    ...operations,
    ...fieldEntries(openApi, groups),
    ...guides.flatMap(guide => guideEntries(guide, sectionsOf(guide.text))),
  ])
}

function operationEntry(group: Group, endpoint: Endpoint): Entry {
  const { operationId, method, path, summary, description, responses } = endpoint
  const codes = responses.flatMap(([, response]) => codesOf(response))
  return {
    k: group.tag === null ? 'event' : 'operation',
    t: summary,
    a: `${groupAddress(group)}#${operationId}`,
    n: `${operationId} ${method} ${path}`,
    x: [plainText(description), ...new Set(codes)].join(' '),
  }
}

/**
 * Each field once, at the first operation that takes it; else at the first that answers it. Fields of several schemas
 * with the same name and description are one.
 */
function fieldEntries(openApi: OpenApi, groups: readonly Group[]): Entry[] {
  const places = groups.flatMap(group =>
    group.endpoints.map(endpoint => ({
      endpoint,
      address: `${groupAddress(group)}#${endpoint.operationId}`,
    })),
  )
  const seen = new Set<Schema>()
  const visit = (schema: Schema, address: string, where: string): Entry[] =>
    objectsIn(openApi, schema).flatMap(object => {
      const { properties = {} } = object.schema
      const identity = object.name === undefined ? schema : openApi.components.schemas[object.name]
      if (identity === undefined || seen.has(identity)) return []
      seen.add(identity)
      return Object.entries(properties).flatMap(([name, field]) => [
        fieldEntry(name, field, address, object.name ?? where),
        ...visit(field, address, `${object.name ?? where}.${name}`),
      ])
    })
  const ofParameters = places.flatMap(({ endpoint, address }) =>
    endpoint.parameters.map(({ name, schema, description }) =>
      fieldEntry(name, withoutUndefined({ ...schema, description }), address, endpoint.operationId),
    ),
  )
  const bodies = places.flatMap(({ endpoint, address }) =>
    Object.values(endpoint.requestBody?.content ?? {}).flatMap(({ schema }) =>
      visit(schema, address, endpoint.operationId),
    ),
  )
  const replies = places.flatMap(({ endpoint, address }) =>
    endpoint.responses
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content = {} }]) =>
        Object.values(content).flatMap(({ schema }) => visit(schema, address, endpoint.operationId)),
      ),
  )
  const all = [...ofParameters, ...bodies, ...replies]
  return [...Map.groupBy(all, ({ t, x }) => `${t} ${x}`).values()].flatMap(([first]) => first ?? [])
}

function fieldEntry(
  name: string,
  { description = '', enum: words = [] }: Schema,
  address: string,
  where: string,
): Entry {
  return { k: 'field', t: name, a: address, n: where, x: plainText([description, ...words].join(' ')) }
}

function guideEntries(guide: Guide, sections: readonly Section[]): Entry[] {
  return sections.flatMap(({ depth, title, id, text, terms }): Entry[] => [
    {
      k: 'guide',
      t: title,
      a: depth === 1 ? guide.address : `${guide.address}#${id}`,
      n: depth === 1 ? (guide.address.split('/').at(-1) ?? '') : guide.title,
      // A list is found by its items.
      x: terms.length > longestTextList ? '' : text,
    },
    ...terms.map(
      ({ code, text: meaning }): Entry => ({
        k: 'term',
        t: code,
        a: `${guide.address}#${code}`,
        n: guide.title,
        x: meaning,
      }),
    ),
  ])
}

/** Of items that explain a code; more of them are a list to look up a code in. */
const longestTextList = 3
