/** What the parameters of a route's path name: the kind of record, in words and for programs. */
import { type IdKind, idPattern, idPrefixes } from '../../platform/ids.ts'
import { exampleId } from '../../platform/schemas.ts'
import type { Route } from '../route.ts'

/** One parameter of a path. */
export type PathName = {
  parameter: string
  /** The kind of record, as in `details.resource`. */
  resource: string
  /** The kind of record in words, such as `browser token`. */
  words: string
  /** The path up to and with the parameter. */
  path: string
} & Value

/** A secret is never shown. An id of a foreign protocol has no form that is checked here. */
type Value = { kind: 'id'; ids: IdKind | null } | { kind: 'text'; called?: string } | { kind: 'secret' }

type Named = Pick<PathName, 'resource' | 'words'> & Value

/** The records of the API, by the word of the path before their id. */
const records: Readonly<Record<string, IdKind>> = {
  agents: 'agent',
  'api-keys': 'key',
  'browser-tokens': 'browserToken',
  collections: 'collection',
  conversations: 'conversation',
  deliveries: 'webhookDelivery',
  documents: 'document',
  events: 'event',
  imports: 'import',
  integrations: 'connection',
  invitations: 'invitation',
  members: 'member',
  'model-providers': 'modelProvider',
  runs: 'run',
  schedules: 'schedule',
  syncs: 'sync',
  teams: 'team',
  triggers: 'trigger',
  uploads: 'upload',
  webhooks: 'webhook',
}

/** The kinds whose name for readers is not the one of their ids. */
const namesOfKinds: Readonly<Partial<Record<IdKind, string>>> = {
  connectionSync: 'sync',
  key: 'API key',
  webhookDelivery: 'delivery',
}

/** Parameters that are not ids of ours, by their names. */
const texts: Readonly<Record<string, Named>> = {
  batchId: { resource: 'file_batch', words: 'file batch', kind: 'text' },
  externalId: { resource: 'document', words: 'document', kind: 'text', called: 'the external id' },
  integrationId: { resource: 'integration', words: 'integration', kind: 'text' },
  itemId: { resource: 'item', words: 'item', kind: 'text' },
  page: { resource: 'page', words: 'page', kind: 'text' },
  model: { resource: 'model', words: 'model', kind: 'text' },
  revision: { resource: 'revision', words: 'revision', kind: 'text' },
  template: { resource: 'template', words: 'template', kind: 'text' },
  token: { resource: 'trigger', words: 'trigger', kind: 'secret' },
  version: { resource: 'version', words: 'version', kind: 'text' },
}

/** The records of other protocols, by the word before their id; their ids have forms of their own. */
const foreignRecords: Readonly<Record<string, string>> = {
  conversations: 'conversation',
  file_batches: 'file batch',
  files: 'file',
  responses: 'response',
  vector_stores: 'vector store',
}

/** Throws if a parameter of the path has no name here: a 404 must say which kind of record is missing. */
export function pathNamesOf({ path, protocol, operationId }: Route): PathName[] {
  const segments = path.split('/')
  return segments.flatMap((segment, place) => {
    if (!segment.startsWith(':')) return []
    const parameter = segment.slice(1)
    const named = texts[parameter] ?? recordOf(parameter, segments[place - 1] ?? '', protocol !== undefined)
    if (named === null) throw new Error(`Name the record that :${parameter} of ${operationId} stands for`)
    return [{ parameter, path: segments.slice(0, place + 1).join('/'), ...named }]
  })
}

function recordOf(parameter: string, noun: string, isForeign: boolean): Named | null {
  if (isForeign) {
    const words = foreignRecords[noun]
    return words === undefined ? null : { resource: words.replaceAll(' ', '_'), words, kind: 'id', ids: null }
  }
  const ids = parameter === 'syncId' ? 'connectionSync' : records[noun]
  if (ids === undefined) return null
  const words = namesOfKinds[ids] ?? ids.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return { resource: words.toLowerCase().replaceAll(' ', '_'), words, kind: 'id', ids }
}

/** Whether the value can be an id of the parameter's kind. */
export const hasForm = (name: PathName, value: string): boolean =>
  name.kind !== 'id' ||
  (idPattern.test(value) && (name.ids === null || value.startsWith(`${idPrefixes[name.ids]}_`)))

/** An id of the parameter's kind, for a reader who has sent something else. */
export const exampleOf = (name: PathName): string | null =>
  name.kind === 'id' && name.ids !== null ? exampleId(name.ids) : null
