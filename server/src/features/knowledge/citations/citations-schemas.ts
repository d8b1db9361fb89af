/** Citations that are to be verified, on the wire. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum } from '../../../platform/schemas.ts'

const maxQuoteLength = 10_000

export const CitationToVerify = Type.Closed('CitationToVerify', {
  documentId: idOf('document', { description: 'The document that was quoted.' }),
  documentVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'Version to check; by default the one that search finds now.',
    }),
  ),
  quote: Type.String({
    minLength: 1,
    maxLength: maxQuoteLength,
    pattern: '\\S',
    description: 'The words to check.',
  }),
  startOffset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1e9, description: 'Expected start, in code points.' }),
  ),
  endOffset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1e9,
      description: 'Expected end, exclusive; only with `startOffset`.',
    }),
  ),
})
export type CitationToVerify = Static<typeof CitationToVerify>

export const CitationsToVerify = Type.Closed('CitationsToVerify', {
  citations: Type.Array(CitationToVerify, { minItems: 1, maxItems: 100 }),
})

export const VerifiedCitation = Type.Closed('VerifiedCitation', {
  documentId: idOf('document'),
  documentVersion: nullable(Type.Integer({ description: 'The version that was checked.' })),
  status: stringEnum(['verified', 'moved', 'changed', 'missing'], {
    description:
      '`verified`: the quote is there word for word. `moved`: it is elsewhere in this version. `changed`: this version does not contain it. `missing`: there is no such document, version or text.',
  }),
  startOffset: nullable(Type.Integer({ description: 'Start of the quote, in code points of the text.' })),
  endOffset: nullable(Type.Integer({ description: 'End of the quote, exclusive.' })),
})
export type VerifiedCitation = Static<typeof VerifiedCitation>

export const citationsExample = {
  citations: [
    {
      documentId: exampleId('document'),
      documentVersion: 1,
      quote: 'Everybody has 28 days of paid leave a year.',
      startOffset: 210,
      endOffset: 253,
    },
  ],
}

export const verifiedExample: VerifiedCitation = {
  documentId: exampleId('document'),
  documentVersion: 1,
  status: 'verified',
  startOffset: 210,
  endOffset: 253,
}
