/** The wire format of search. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum } from '../../../platform/schemas.ts'
import { filterParameter } from '../filter/filter.ts'

/** The modes of a search: `auto` takes what there is, the others search by words, by meaning, or by both. */
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
          'Search text. `"in quotes"`: every result contains these words side by side (ignored in queries with more than eight other words). `-word` and `-"some words"`: no result contains them (not in a question, nor by the hyphen of a number or of an option). `word*`: words with this beginning. A word that no text contains is corrected to a similar one, shown in `explanation` as `correctedTo`. Invalid syntax is treated as plain text.',
        examples: ['how many days of leave'],
      }),
    ),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', description: 'The same as `query`.' }),
    ),
    collectionId: Type.Optional(
      Type.Array(idOf('collection'), {
        maxItems: 50,
        description:
          'Only in these collections; may be repeated. By default all collections that the key can access.',
      }),
    ),
    filter: Type.Optional(filterParameter),
    mode: Type.Optional(
      stringEnum(searchModes, {
        default: 'auto',
        description:
          '`auto` means `hybrid` if a searched collection has usable vectors, and `text` otherwise. `vector` and `hybrid` fail without vectors.',
      }),
    ),
    perDocument: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description:
          'Maximum number of chunks of one document in the list. By default 3 where ten or more documents match about as well as the best one, and up to 30 where fewer do.',
      }),
    ),
    rerank: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the reranker sorts the 50 best results, if the operator has configured one. Test keys never use it.',
      }),
    ),
    explain: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds an explanation of the score to each result.' }),
    ),
  },
  { additionalProperties: false },
)
export type SearchQuery = Static<typeof SearchQuery>

const offset = (description: string) => Type.Integer({ minimum: 0, description })

const rank = Type.Integer({ minimum: 1, description: 'From 1.' })

const SearchExplanation = Type.Object(
  {
    mode: stringEnum(['text', 'vector', 'hybrid'], { description: 'Search mode that was used.' }),
    fallback: nullable(Type.String({ description: 'Why `auto` used no vectors; null if it used them.' })),
    text: nullable(
      Type.Object(
        {
          rank,
          score: Type.Number({ description: 'Score of the words.' }),
          parts: Type.Array(Type.Object({}, { additionalProperties: true }), {
            description: 'Parts of the score: the terms, the field, and the score of each.',
          }),
        },
        { additionalProperties: false, description: 'Null if text search did not find it.' },
      ),
    ),
    vectors: Type.Array(
      Type.Object(
        {
          model: Type.String({ description: 'Embedding model.' }),
          rank,
          similarity: Type.Number({ description: 'Cosine similarity, at most 1.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'One entry for each embedding model that found it.' },
    ),
    fusion: nullable(
      Type.Number({
        description:
          'The score of several lists together, from 0 to 1: the weighted sum of the text score and the similarity, each as a part of the best in its list.',
      }),
    ),
    rerank: nullable(
      Type.Object(
        {
          model: Type.Optional(nullable(Type.String(), { description: 'Reranking model.' })),
          rank: Type.Optional(rank),
          score: Type.Optional(Type.Number({ description: 'Score by the reranker.' })),
          failure: Type.Optional(Type.String({ description: 'Why the reranker was not used.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    title: 'SearchExplanation',
    additionalProperties: false,
    description: 'With `explain=true`: how the result was ranked.',
  },
)

export const SearchHit = Type.Object(
  {
    chunkId: idOf('chunk', {
      description: 'Id of the chunk; the best one if several form the result.',
    }),
    documentId: idOf('document'),
    externalId: nullable(Type.String()),
    documentVersion: Type.Integer(),
    collectionId: idOf('collection'),
    name: Type.String({ description: "The name of the document's file." }),
    title: nullable(Type.String({ description: "The document's title." })),
    text: Type.String({
      description:
        "Text of the chunk and of adjacent chunks that were found too: exactly the document's text from `startOffset` to `endOffset`.",
    }),
    headings: Type.Array(Type.String(), {
      description:
        'The headings above it, from the topmost one; in a long table the names of its columns come last.',
    }),
    highlights: Type.Array(
      Type.Object(
        {
          startOffset: offset('Offset of the first code point within `text`.'),
          endOffset: offset('Offset after its last code point within `text`.'),
        },
        { additionalProperties: false },
      ),
      { description: "Positions of the query's words." },
    ),
    score: Type.Number({ description: 'Higher is better; comparable within one reply only.' }),
    location: Type.Object(
      {
        page: nullable(Type.Integer({ description: 'Page number, from 1; null for formats without pages.' })),
        startOffset: offset("Start of the result, in code points of the document's text."),
        endOffset: offset('End of the result, exclusive.'),
      },
      { additionalProperties: false },
    ),
    cells: nullable(
      Type.Record(Type.String(), Type.String(), {
        description:
          'The row of a table in the result that fits the query best: its cells by the names of their columns. Null if no row holds a word of the query.',
      }),
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
  headings: ['Leave and holidays', 'Paid leave'],
  highlights: [{ startOffset: 17, endOffset: 21 }],
  score: 7.42,
  location: { page: null, startOffset: 210, endOffset: 253 },
  cells: null,
  metadata: { department: 'people' },
}
