/** Knowledge as a tool: what a model calls to look something up in the documents. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { ShownPassages, type Tool } from '../../../platform/tool.ts'
import type { KnowledgeSearchService } from './search-service.ts'

const maxPassages = 8
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
    const found = await knowledge.find(caller, { query, collectionIds, limit: maxPassages }, signal)
    return {
      passages: found.map(result => ({
        chunkId: result.chunkId,
        documentId: result.documentId,
        documentVersion: result.documentVersion,
        title: result.title ?? result.name,
        text: result.text,
        page: result.page,
        startOffset: result.startOffset,
        endOffset: result.endOffset,
      })),
    }
  },
})
