/** Search on the wire. */
import Type from 'typebox'
import { exampleId, idOf, nullable, stringEnum } from '../../platform/schemas.ts'

export const SearchQuery = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        description: 'What to look for, in plain words.',
        examples: ['how many days of leave'],
      }),
    ),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: 'The same as `query`.' })),
    collectionId: Type.Optional(
      Type.Array(idOf('collection'), {
        maxItems: 50,
        description: 'Only in these collections; may be repeated. All that the key reaches unless given.',
      }),
    ),
    mode: Type.Optional(
      stringEnum(['auto', 'text'], {
        default: 'auto',
        description:
          '`auto` takes the best that the collections offer, which is `text` as long as there are no embeddings.',
      }),
    ),
    explain: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds to each result what its score is made of.' }),
    ),
  },
  { additionalProperties: false },
)
export type SearchQuery = Type.Static<typeof SearchQuery>

const offset = (description: string) => Type.Integer({ minimum: 0, description })

export const SearchHit = Type.Object(
  {
    chunkId: idOf('chunk'),
    documentId: idOf('document'),
    externalId: nullable(Type.String()),
    documentVersion: Type.Integer(),
    collectionId: idOf('collection'),
    title: nullable(Type.String({ description: "The document's title." })),
    text: Type.String({
      description: "The chunk: exactly the document's text from `startOffset` to `endOffset`.",
    }),
    highlights: Type.Array(
      Type.Object(
        {
          startOffset: offset('Of the first code point, within `text`.'),
          endOffset: offset('Behind the last one.'),
        },
        { additionalProperties: false },
      ),
      { description: 'Where the words of the query stand.' },
    ),
    score: Type.Number({ description: 'Higher is better; comparable within one reply only.' }),
    location: Type.Object(
      {
        page: nullable(Type.Integer({ description: 'From 1; null where the format has no pages.' })),
        startOffset: offset("In code points of the document's text."),
        endOffset: offset('Behind the last one.'),
      },
      { additionalProperties: false },
    ),
    metadata: Type.Object({}, { additionalProperties: true, description: "The document's metadata." }),
    explanation: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'With `explain=true`: the parts of the score.',
      }),
    ),
  },
  { title: 'SearchHit', additionalProperties: false },
)
export type SearchHit = Type.Static<typeof SearchHit>

export const searchHitExample: SearchHit = {
  chunkId: exampleId('chunk'),
  documentId: exampleId('document'),
  externalId: 'wiki/4711',
  documentVersion: 1,
  collectionId: exampleId('collection'),
  title: 'Leave and holidays',
  text: 'Everybody has 28 days of paid leave a year.',
  highlights: [{ startOffset: 17, endOffset: 21 }],
  score: 7.42,
  location: { page: null, startOffset: 210, endOffset: 253 },
  metadata: { department: 'people' },
}
