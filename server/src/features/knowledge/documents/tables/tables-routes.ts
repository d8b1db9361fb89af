/** The endpoint for the tables of a document. */
import { defineRoute, listed, type Route, standardList } from '../../../../http/route.ts'
import { Type } from '../../../../platform/json-schema/type.ts'
import { DocumentTable, documentTableExample } from '../../records/schemas.ts'
import type { DocumentService } from '../documents-service.ts'
import { maxCells } from './read-tables.ts'

const mostCells = maxCells.toLocaleString('en')

export const tableRoutes = (documents: DocumentService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/tables',
    operationId: 'listDocumentTables',
    summary: "List a document's tables",
    description: `The tables in the order of the text, with their rows. One reply has at most ${mostCells} cells: a table that has more, and each table behind it, has a \`nextOffset\`. Send that as \`from\` to continue.`,
    permission: 'knowledge:read',
    appliesFilter: true,
    query: Type.Object({
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000_000,
          default: 0,
          description:
            "Only tables that end behind this code point of the document's text, such as `startOffset` of a search result. Rows that begin before it are left out.",
        }),
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 999_999_999,
          description: 'Version to read; by default the one that search finds.',
        }),
      ),
    }),
    list: { ...standardList, ranked: true },
    data: Type.Array(DocumentTable),
    example: [documentTableExample],
    errors: ['version_without_text'],
    handle: async ({ caller, params, query, page }) =>
      listed(
        await documents.tables(caller, params.id, { version: query.version, from: query.from ?? 0 }, page),
        page,
      ),
  }),
]
