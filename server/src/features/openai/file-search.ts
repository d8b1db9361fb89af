/** `file_search` in responses: an item for each search, its results, and the files that an answer cites. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../platform/caller.ts'
import { idPrefixes } from '../../platform/ids.ts'
import { searchToolName } from '../../platform/models/extractive/model.ts'
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import type { RunStep } from '../agents/records/step-schemas.ts'
import type { DocumentService, FoundDocumentRow } from '../knowledge/documents/documents-service.ts'
import type { Annotation } from './answer.ts'
import { type Item, searchItemIdOf } from './items.ts'
import { type Attributes, attributesOf, metadataOf } from './requests/store-request.ts'

/** A document as clients know it. */
export type SourceFile = { fileId: string; filename: string; attributes: Attributes }

/** A document that is gone, or that the caller does not reach, has the title under which the run found it. */
export type FileOf = (documentId: string, title: string) => SourceFile

type ToolStep = Extract<RunStep, { type: 'tool' }>

/** A search of the run; `stepIndex` places it among the run's texts. */
export type Search = { stepIndex: number; nth: number; step: ToolStep }

/** Only a request with `file_search` is shown searches: its run is narrowed to the stores that it named. */
export const showsSearches = ({ collectionIds }: Pick<Run, 'collectionIds'>): boolean =>
  collectionIds !== null

export function searchesOf(run: Pick<Run, 'collectionIds' | 'steps'>): Search[] {
  if (!showsSearches(run)) return []
  let nth = 0
  return run.steps.flatMap((step, stepIndex) => (isSearch(step) ? [{ stepIndex, nth: nth++, step }] : []))
}

const isSearch = (step: RunStep): step is ToolStep => step.type === 'tool' && step.name === searchToolName

/** The item of a search that has begun: what it looks for is shown once it has ended. */
export const begunItem = (runId: string, nth: number): Item => ({
  id: searchItemIdOf(runId, nth),
  type: 'file_search_call',
  status: 'in_progress',
  queries: [],
  results: null,
})

export function searchItem(
  runId: string,
  { nth, step }: Pick<Search, 'nth' | 'step'>,
  { fileOf, withResults }: { fileOf: FileOf; withResults: boolean },
): Item {
  const { error, passages = [] } = step.output
  return {
    ...begunItem(runId, nth),
    status: error === undefined ? 'completed' : 'failed',
    queries: queriesOf(step.input),
    results: withResults ? passages.map(passage => resultOf(passage, fileOf)) : null,
  }
}

/** A page is shown no input. */
const queriesOf = (input: unknown): string[] => {
  const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : undefined
  return typeof query === 'string' ? [query] : []
}

function resultOf(passage: NonNullable<ToolStep['output']['passages']>[number], fileOf: FileOf) {
  const { documentId, title, text = '', score } = passage
  const { fileId, filename, attributes } = fileOf(documentId, title)
  return withoutUndefined({ file_id: fileId, filename, attributes, text, score })
}

/** `index` is where the marker stands, in code points. */
export function fileCitation({ start_index: index, citation, title }: Annotation, fileOf: FileOf) {
  const { fileId, filename } = fileOf(citation.documentId, title)
  return { type: 'file_citation', index, file_id: fileId, filename, citation }
}

/** A copy in a vector store has the id of the file from which it was made. */
export const fileIdOf = (documentId: string, externalId: string | null): string =>
  externalId?.startsWith(`${idPrefixes.document}_`) ? externalId : documentId

/** The files of the passages in these steps, as the caller may see them. */
export async function readFiles(
  documents: DocumentService,
  caller: Caller,
  steps: readonly RunStep[],
): Promise<FileOf> {
  const ids = steps.flatMap(step =>
    step.type === 'tool' ? (step.output.passages ?? []).map(({ documentId }) => documentId) : [],
  )
  const rows = ids.length === 0 ? [] : await documents.named(caller, [...new Set(ids)])
  const known = new Map(rows.map(row => [row.id, row]))
  const mayReadAttributes = caller.permissions.has('knowledge:read')
  return (documentId, title) => {
    const row = known.get(documentId)
    if (row === undefined) return { fileId: documentId, filename: title, attributes: {} }
    return fileOfRow(row, mayReadAttributes)
  }
}

const fileOfRow = (row: FoundDocumentRow, mayReadAttributes: boolean): SourceFile => ({
  fileId: fileIdOf(row.id, row.external_id),
  filename: row.name,
  attributes: mayReadAttributes ? attributesOf(metadataOf(row)) : {},
})

/** What the stream of a response shows of a search. */
export type SearchTurn = { kind: 'begin'; nth: number } | { kind: 'end'; nth: number; step: ToolStep }

/**
 * Puts the searches of a stream in the order of the record: each one ends before the next begins, even if they ran
 * side by side. So a response that is streamed again has the same events.
 */
export function createSearchTurns() {
  const calls = new Set<string>()
  let begun = 0
  let ended = 0
  let running = 0

  const begin = (): SearchTurn[] => (begun > ended ? [] : [{ kind: 'begin', nth: begun++ }])

  return {
    take({ type, stepType, name, toolCallId = '', step }: RunEvent): SearchTurn[] {
      if (type === 'step.started' && stepType === 'model') {
        // Searches that have not ended by now were lost with their process; the next one takes the open item.
        running = 0
        return []
      }
      if (type === 'step.started' && name === searchToolName) {
        // A process that takes the run up announces its calls again.
        if (calls.has(toolCallId)) return []
        calls.add(toolCallId)
        running += 1
        return begin()
      }
      if (type !== 'step.finished' || step === undefined || !isSearch(step)) return []
      const turns: SearchTurn[] = [...begin(), { kind: 'end', nth: ended, step }]
      ended += 1
      running = Math.max(0, running - 1)
      return running === 0 ? turns : [...turns, ...begin()]
    },
  }
}
