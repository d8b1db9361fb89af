/** Search on the wire. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum } from '../../../platform/schemas.ts'
import { filterParameter } from '../filter/filter.ts'

/** How a search can be asked to find: by words, by meaning, by both, or by what there is. */
export const searchModes = ['auto', 'text', 'vector', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

export const SearchQuery = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        pattern: '\\S',
        description:
          'What to look for, in plain words. `"in quotes"`: these words side by side, in each result (in prose of more than eight words beside them, quotes demand nothing). `-word` and `-"some words"`: in no result. `word*`: all words that begin so. A word that no text has is corrected to one that is a mistake away; the `explanation` says `correctedTo`. Whatever makes no sense of these is plain text.',
        examples: ['how many days of leave'],
      }),
    ),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', description: 'The same as `query`.' }),
    ),
    collectionId: Type.Optional(
      Type.Array(idOf('collection'), {
        maxItems: 50,
        description: 'Only in these collections; may be repeated. All that the key reaches unless given.',
      }),
    ),
    filter: Type.Optional(filterParameter),
    mode: Type.Optional(
      stringEnum(searchModes, {
        default: 'auto',
        description:
          '`auto` is `hybrid` where a searched collection has vectors that can be used at the moment, else `text`. `vector` and `hybrid` fail where there are none.',
      }),
    ),
    perDocument: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 3,
        description: 'How many chunks of one document there may be in the list.',
      }),
    ),
    rerank: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the 50 best results are put in order by the reranker, where the operator has configured one. Test keys never reach it.',
      }),
    ),
    explain: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds to each result what its score is made of.' }),
    ),
  },
  { additionalProperties: false },
)
export type SearchQuery = Static<typeof SearchQuery>

const offset = (description: string) => Type.Integer({ minimum: 0, description })

const rank = Type.Integer({ minimum: 1, description: 'From 1.' })

const SearchExplanation = Type.Object(
  {
    mode: stringEnum(['text', 'vector', 'hybrid'], { description: 'How the search was really done.' }),
    fallback: nullable(Type.String({ description: 'Why `auto` did without vectors, where it did.' })),
    text: nullable(
      Type.Object(
        {
          rank,
          score: Type.Number(),
          parts: Type.Array(Type.Object({}, { additionalProperties: true }), {
            description: 'They add up to the score: the terms, the field, and the score of each.',
          }),
        },
        { additionalProperties: false, description: 'Null where its text alone does not bring it up.' },
      ),
    ),
    vectors: Type.Array(
      Type.Object(
        { model: Type.String(), rank, similarity: Type.Number({ description: 'The cosine: at most 1.' }) },
        { additionalProperties: false },
      ),
      { description: 'By each model, where its vectors bring it up.' },
    ),
    fusion: nullable(
      Type.Number({ description: 'The sum of 1 / (60 + rank) over the lists, where there were several.' }),
    ),
    rerank: nullable(
      Type.Object(
        {
          model: Type.Optional(nullable(Type.String())),
          rank: Type.Optional(rank),
          score: Type.Optional(Type.Number()),
          failure: Type.Optional(Type.String({ description: 'Why the order is not the reranker\u2019s.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    title: 'SearchExplanation',
    additionalProperties: false,
    description: 'With `explain=true`: how it came to its place.',
  },
)

export const SearchHit = Type.Object(
  {
    chunkId: idOf('chunk', {
      description: 'The chunk that was found; the best one, where several make the result.',
    }),
    documentId: idOf('document'),
    externalId: nullable(Type.String()),
    documentVersion: Type.Integer(),
    collectionId: idOf('collection'),
    name: Type.String({ description: "The name of the document's file." }),
    title: nullable(Type.String({ description: "The document's title." })),
    text: Type.String({
      description:
        "The chunk, with the chunks beside it that were found as well: exactly the document's text from `startOffset` to `endOffset`.",
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
    explanation: Type.Optional(SearchExplanation),
  },
  { title: 'SearchHit', additionalProperties: false },
)
export type SearchHit = Static<typeof SearchHit>

export const searchHitExample: SearchHit = {
  chunkId: exampleId('chunk'),
  documentId: exampleId('document'),
  externalId: 'wiki/4711',
  documentVersion: 1,
  collectionId: exampleId('collection'),
  name: 'leave.md',
  title: 'Leave and holidays',
  text: 'Everybody has 28 days of paid leave a year.',
  highlights: [{ startOffset: 17, endOffset: 21 }],
  score: 7.42,
  location: { page: null, startOffset: 210, endOffset: 253 },
  metadata: { department: 'people' },
}
