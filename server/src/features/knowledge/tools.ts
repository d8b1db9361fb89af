/** The knowledge tools of a model: one searches the documents, one reads on from a passage. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { idOf } from '../../platform/schemas.ts'
import { type Passage, ShownPassages, type Tool, ToolError } from '../../platform/tool.ts'
import type { PassagesService } from './documents/versions-service.ts'
import { headingsOf } from './records/chunks-store.ts'
import type { KnowledgeSearchService } from './search/search-service.ts'

const mostFound = 8
const maxQueryLength = 1_000

const SearchInput = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: maxQueryLength,
      pattern: '\\S',
      description: 'What to look for: the telling words of the question, in the language of the documents.',
    }),
  },
  { additionalProperties: false },
)

export const createSearchTool = (knowledge: KnowledgeSearchService): Tool => ({
  name: 'search_knowledge',
  description:
    'Searches the documents of the workspace and answers the passages that fit best. Use it before answering anything that the documents may know, and again with other words where the first passages do not answer.',
  permission: 'knowledge:read',
  safeToRepeat: true,
  needsApproval: false,
  input: SearchInput,
  output: ShownPassages,
  async run({ caller, collectionIds, signal }, input) {
    const { query } = input as Static<typeof SearchInput>
    const found = await knowledge.find(caller, { query, collectionIds, limit: mostFound }, signal)
    return {
      passages: found.map(result =>
        withoutUndefined<Passage>({
          chunkId: result.chunkId,
          documentId: result.documentId,
          documentVersion: result.documentVersion,
          title: result.title ?? result.name,
          headings: headingsOf(result.headings),
          text: result.text,
          page: result.page,
          startOffset: result.startOffset,
          endOffset: result.endOffset,
          score: result.score,
          cells: result.cells ?? undefined,
        }),
      ),
    }
  },
})

const defaultPassages = 8
const mostPassages = 20

const ReadInput = Type.Closed({
  documentId: idOf('document', { description: 'Id of the document.' }),
  startOffset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Begins with the passage at this character of the text; 0 unless given.',
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Begins with this page instead, in documents that have pages.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostPassages,
      description: `How many passages; ${defaultPassages} unless given.`,
    }),
  ),
})

export const createReadTool = (passages: PassagesService): Tool => ({
  name: 'read_passages',
  description:
    'Reads a document on: its passages in order, from a character or a page on. Use it where a passage that was found ends too early, or the whole of a document is wanted.',
  permission: 'knowledge:read',
  safeToRepeat: true,
  needsApproval: false,
  input: ReadInput,
  output: ShownPassages,
  async run({ caller, collectionIds, signal }, input) {
    const { documentId, startOffset, page, limit = defaultPassages } = input as Static<typeof ReadInput>
    signal.throwIfAborted()
    if (startOffset !== undefined && page !== undefined) {
      throw new ToolError('Give startOffset or page, not both')
    }
    const from = page === undefined ? { offset: startOffset ?? 0 } : { page }
    const read = await passages.read(caller, { documentId, collectionIds, from, limit })
    if (read === null) throw new ToolError('There is no document with this id, or it cannot be read yet')
    return { passages: read.passages, note: noteOf(read.passages.at(-1)?.endOffset, read.textLength) }
  },
})

function noteOf(endOffset: number | undefined, textLength: number): string {
  if (endOffset === undefined) return `There is nothing there: the document has ${textLength} characters.`
  if (endOffset >= textLength) return 'The document ends here.'
  return `The document goes on at startOffset ${endOffset}, of ${textLength} characters.`
}
