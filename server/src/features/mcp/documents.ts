/** Documents for MCP clients: searched, fetched in parts that fit one reply, and listed as resources. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Scope } from '../../platform/caller.ts'
import { consolePage } from '../../platform/console-page.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { ServiceError } from '../../platform/errors.ts'
import { idPattern, idPrefixes } from '../../platform/ids.ts'
import type { CollectionService } from '../knowledge/documents/collections-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { KnowledgeSearchService } from '../knowledge/search/search-service.ts'
import type { CollectionsOutput, FetchOutput, SearchOutput } from './schemas.ts'

/** A failed call of a tool, for a reason that the model may know and can act on. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Code points of a part. Any text of this length, written as JSON, fits into one reply. */
const partLength = 60_000
/** In characters, for the JSON of a document's own metadata, which may be far longer. */
const maxMetadataLength = 10_000
const maxResults = 20
const collectionsAtOnce = 50
const maxDescription = 500
const resourcesAtOnce = 100

export type Resource = { uri: string; name: string; title: string; mimeType: string }

const resourcePrefix = 'atrium://documents/'
export const resourceTemplate = `${resourcePrefix}{id}`

export type McpDocuments = ReturnType<typeof createMcpDocuments>

export function createMcpDocuments({
  knowledge,
  documents,
  collections,
  publicUrl,
}: {
  knowledge: Pick<KnowledgeSearchService, 'search'>
  documents: Pick<DocumentService, 'get' | 'content' | 'list'>
  collections: Pick<CollectionService, 'list'>
  publicUrl: () => string
}) {
  const urlOf = ({ environment }: Scope, documentId: string): string =>
    consolePage(publicUrl(), environment, `/knowledge/documents/${documentId}`)

  async function fetch(caller: Caller, id: string, signal: AbortSignal): Promise<FetchOutput> {
    const asked = parsePart(id)
    if (asked === null) throw noDocument()
    const { documentId, part } = asked
    const row = await documents.get(caller, documentId, { waitMs: 0, signal }).catch(orNoDocument)
    const from = (part - 1) * partLength
    const piece = await documents
      .content(caller, documentId, { from, to: from + partLength })
      .catch(orNoDocument)
    const parts = Math.max(1, Math.ceil(piece.length / partLength))
    if (part > parts) throw new Refusal(`The document has ${parts} ${parts === 1 ? 'part' : 'parts'}`)
    return {
      id,
      title: row.title ?? row.name,
      text: printable(piece.text),
      url: urlOf(caller.scope, documentId),
      metadata: withoutUndefined({
        ...shortMetadata(decodeJson(row.metadata)),
        name: row.name,
        mediaType: row.media_type,
        collectionId: row.collection_id,
        version: piece.version,
        part: parts === 1 ? undefined : part,
        parts: parts === 1 ? undefined : parts,
        next: part < parts ? `${documentId}:${part + 1}` : undefined,
      }),
    }
  }

  return {
    urlOf,

    /** The parts of documents that contain the best passages, each part once. */
    async search(caller: Caller, query: string, signal: AbortSignal): Promise<SearchOutput> {
      const request = { query, explain: false }
      const { items } = await knowledge.search(caller, request, { page: 1, pageSize: 50 }, signal)
      const results = new Map<string, SearchOutput['results'][number]>()
      for (const { documentId, title, name, location } of items) {
        const id = partAt(documentId, location.startOffset)
        if (results.has(id)) continue
        results.set(id, { id, title: title ?? name, url: urlOf(caller.scope, documentId) })
        if (results.size === maxResults) break
      }
      return { results: [...results.values()] }
    },

    /** Throws `Refusal` if the document or the part does not exist, or has no text yet. */
    fetch,

    async listCollections(caller: Caller, after: string | undefined): Promise<CollectionsOutput> {
      const { items } = await collections.list(caller, { page: 1, pageSize: collectionsAtOnce, after })
      return {
        collections: items.map(({ id, name, description, document_count: documentCount }) => ({
          id,
          name,
          description: description?.slice(0, maxDescription) ?? null,
          documentCount,
        })),
        next: items.length === collectionsAtOnce ? (items.at(-1)?.id ?? null) : null,
      }
    },

    /** Documents whose text can be read, newest first. */
    async listResources(
      caller: Caller,
      after: string | undefined,
    ): Promise<{ resources: Resource[]; next: string | null }> {
      const page = { page: 1, pageSize: resourcesAtOnce, after }
      const { items } = await documents.list(caller, { status: 'ready' }, page)
      const resources = items.map(({ id, name, title }) => ({
        uri: `${resourcePrefix}${id}`,
        name,
        title: title ?? name,
        mimeType: 'text/plain',
      }))
      return { resources, next: items.length === resourcesAtOnce ? (items.at(-1)?.id ?? null) : null }
    },

    /**
     * Returns the text at an address of the list, with the address of the next part, if there is one. Null if the
     * document does not exist.
     */
    async readResource(caller: Caller, uri: string, signal: AbortSignal): Promise<string | null> {
      if (!uri.startsWith(resourcePrefix)) return null
      try {
        const { text, metadata } = await fetch(caller, uri.slice(resourcePrefix.length), signal)
        const { next, part, parts } = metadata as { next?: string; part?: number; parts?: number }
        if (next === undefined) return text
        return `${text}\n\n[Part ${part} of ${parts}; it goes on in ${resourcePrefix}${next}]`
      } catch (error) {
        if (error instanceof Refusal) return null
        throw error
      }
    },
  }
}

/** The id of the part in which a passage begins; the first part has the document's id. */
export function partAt(documentId: string, offset: number): string {
  const part = Math.floor(offset / partLength) + 1
  return part === 1 ? documentId : `${documentId}:${part}`
}

function parsePart(id: string): { documentId: string; part: number } | null {
  const [, documentId = '', part = '1'] = /^([^:]+)(?::([1-9]\d{0,5}))?$/.exec(id) ?? []
  const isDocument = idPattern.test(documentId) && documentId.startsWith(`${idPrefixes.document}_`)
  return isDocument ? { documentId, part: Number(part) } : null
}

const noDocument = (): Refusal =>
  new Refusal('There is no document with this id; `search` names those that there are')

/** Throws the same refusal for a document that never existed and for one that the caller does not reach. */
function orNoDocument(error: unknown): never {
  if (error instanceof ServiceError && error.code === 'not_found') throw noDocument()
  throw error
}

/** Control characters mean nothing to a model, and each takes six characters of JSON. */
const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are meant.
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, ' ')

/** Keeps as many entries as fit. */
function shortMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const kept: [string, unknown][] = []
  let length = 0
  for (const entry of Object.entries(metadata)) {
    length += JSON.stringify(entry).length
    if (length <= maxMetadataLength) kept.push(entry)
  }
  return Object.fromEntries(kept)
}
