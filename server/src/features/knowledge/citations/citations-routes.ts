/** The endpoint that checks quotes against documents. */

import { defineRoute, ok, type Route } from '../../../http/route.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import {
  type CitationsService,
  CitationsToVerify,
  type CitationToVerify,
  citationsExample,
  VerifiedCitation,
  verifiedExample,
} from './citations-service.ts'

export const citationRoutes = (citations: CitationsService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/knowledge/citations/verify',
    operationId: 'verifyCitations',
    summary: 'Verify citations',
    description:
      'Checks for each quote, in order, whether it appears in the document word for word. Letters, case and punctuation must match; any run of white space counts as one space. A quote without offsets, or one that is not at its offsets, is searched for in the whole text. The texts searched in full may have 100,000,000 characters in total. Changes nothing.',
    permission: 'knowledge:read',
    appliesFilter: true,
    audit: null,
    body: CitationsToVerify,
    bodyExample: citationsExample,
    data: Type.Array(VerifiedCitation),
    example: [verifiedExample],
    replyTexts: { 200: 'Whether each quote still stands, in the order in which they were sent.' },
    handle: async ({ caller, body, signal }) => {
      checkOffsets(body.citations)
      return ok(await citations.verify(caller, body.citations, signal()))
    },
  }),
]

function checkOffsets(citations: readonly CitationToVerify[]): void {
  const errors = citations.flatMap(({ startOffset, endOffset }, index) => {
    if (endOffset === undefined || (startOffset !== undefined && startOffset < endOffset)) return []
    const message = startOffset === undefined ? 'needs a `startOffset`' : 'must lie behind `startOffset`'
    return [{ field: `citations.${index}.endOffset`, message }]
  })
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}
