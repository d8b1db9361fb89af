/** The endpoints for pages as pictures, and for passages on them. */
import { Readable } from 'node:stream'
import { defineRoute, ok, type Route, storedFile } from '../../../../http/route.ts'
import { notFound } from '../../../../platform/errors.ts'
import { Type } from '../../../../platform/json-schema/type.ts'
import { PageBoxes, pageBoxesExample } from '../../records/schemas.ts'
import { longestPassage, maxSide, type PagesService } from './pages-service.ts'

const mostLength = longestPassage.toLocaleString('en')

export const pageRoutes = (pages: PagesService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/pages/:page',
    operationId: 'getDocumentPage',
    summary: 'Draw a page of a PDF',
    description:
      'Returns one page as a PNG, for example to show a cited passage where it lies. A file that is no PDF, or that cannot be drawn, gets 409 `no_pages`; a page that is not there gets 404.',
    permission: 'knowledge:read',
    appliesFilter: true,
    answersFile: true,
    fileTypes: ['image/png', 'application/octet-stream'],
    pathTexts: { page: { description: 'The number of the page, from 1.', example: '1' } },
    query: Type.Object({
      size: Type.Optional(
        Type.Integer({
          minimum: 16,
          maximum: maxSide,
          default: 1_600,
          description: "Length of the page's longer side in pixels.",
        }),
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 999_999_999,
          description: 'Version to draw; by default the one that search finds.',
        }),
      ),
    }),
    replyTexts: { 200: 'The page as a picture.' },
    errors: ['no_pages', 'overloaded', 'precondition_failed', 'range_not_satisfiable'],
    handle: async ({ caller, params, query, signal }) => {
      const { png, sha256 } = await pages.picture(caller, params.id, {
        page: numberOf(params.page),
        longest: query.size ?? 1_600,
        signal: signal(),
        version: query.version ?? null,
      })
      return storedFile({
        sizeBytes: png.length,
        sha256,
        headers: { 'content-type': 'image/png' },
        open: async part =>
          Readable.from([part === undefined ? png : png.subarray(part.start, part.end + 1)], {
            objectMode: false,
          }),
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/pages/:page/boxes',
    operationId: 'getDocumentPageBoxes',
    summary: 'Find a passage on a page of a PDF',
    description:
      'Returns where a passage lies on a page: a box for each of its lines, to be drawn over the picture of the page. `from` and `to` are `startOffset` and `endOffset` of a citation or a search result.',
    permission: 'knowledge:read',
    appliesFilter: true,
    pathTexts: { page: { description: 'The number of the page, from 1.', example: '1' } },
    query: Type.Object({
      from: Type.Optional(
        offset("Start of the passage, in code points of the document's text; 0 unless given."),
      ),
      to: Type.Optional(
        offset(
          `End of the passage, exclusive; at most ${mostLength}, and by default as many, behind \`from\`.`,
        ),
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 999_999_999,
          description: 'Version to read; by default the one that search finds.',
        }),
      ),
    }),
    data: PageBoxes,
    example: pageBoxesExample,
    errors: ['no_pages', 'overloaded', 'version_without_text'],
    handle: async ({ caller, params, query, signal }) =>
      ok(
        await pages.boxes(caller, params.id, {
          page: numberOf(params.page),
          from: query.from ?? 0,
          to: query.to ?? null,
          version: query.version ?? null,
          signal: signal(),
        }),
      ),
  }),
]

const offset = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000_000, description })

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}
