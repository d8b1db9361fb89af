/** The wire format of MCP: the inputs and outputs of its tools. `search` and `fetch` fit ChatGPT's connectors. */
import { type Static, type TObject, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable } from '../../platform/schemas.ts'
import { maxText } from '../agents/records/message-schemas.ts'

export const SearchInput = Type.Closed({
  query: Type.String({
    minLength: 1,
    maxLength: 4_000,
    pattern: '\\S',
    description: 'What to look for: the telling words of the question, in the language of the documents.',
  }),
})

export const SearchOutput = Type.Closed({
  results: Type.Array(
    Type.Closed({
      id: Type.String({ description: 'What `fetch` takes.' }),
      title: Type.String({ description: 'Title of the document.' }),
      url: Type.String({ description: 'The page of the document, for people.' }),
    }),
    { description: 'Best first; empty if nothing was found.' },
  ),
})
export type SearchOutput = Static<typeof SearchOutput>

export const FetchInput = Type.Closed({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The `id` of a result of `search`, of a citation, or `metadata.next` of a part before.',
  }),
})

export const FetchOutput = Type.Closed({
  id: Type.String({ description: 'Id of the document or of its part.' }),
  title: Type.String({ description: 'Title of the document.' }),
  text: Type.String({ description: 'The text: of the whole document, or of this part of a long one.' }),
  url: Type.String({ description: 'The page of the document, for people.' }),
  metadata: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'What is known of the document. `next` is the id of the next part, if there is one.',
    },
  ),
})
export type FetchOutput = Static<typeof FetchOutput>

export const CollectionsInput = Type.Closed({
  after: Type.Optional(idOf('collection', { description: 'Lists those behind this one: `next` of a list.' })),
})

export const CollectionsOutput = Type.Closed({
  collections: Type.Array(
    Type.Closed({
      id: Type.String({ description: 'Id of the collection.' }),
      name: Type.String({ description: 'Its name.' }),
      description: nullable(Type.String(), { description: 'What it holds; null if that is not told.' }),
      documentCount: Type.Integer({ description: 'Number of its documents.' }),
    }),
    { description: 'Newest first.' },
  ),
  next: nullable(Type.String(), { description: 'Send it as `after` for more; null if there are no more.' }),
})
export type CollectionsOutput = Static<typeof CollectionsOutput>

const variableValues = { type: 'string', maxLength: 10_000 } as const

const askFields = {
  prompt: Type.String({
    minLength: 1,
    maxLength: maxText,
    pattern: '\\S',
    description: 'What the agent is asked. It knows nothing of this conversation but what is written here.',
  }),
  conversationId: Type.Optional(
    idOf('conversation', {
      description:
        'Goes on with an earlier conversation, which the agent remembers; `conversationId` of an answer.',
    }),
  ),
}

export const AskInput = Type.Closed({
  ...askFields,
  variables: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      additionalProperties: variableValues,
    }),
  ),
})
export type AskInput = Static<typeof AskInput>

/** With one agent's variables by name; a variable whose default is null is required. */
export function askInputOf(variables: Readonly<Record<string, string | null>>): TObject {
  const names = Object.keys(variables)
  if (names.length === 0) return Type.Closed(askFields)
  const required = names.filter(name => variables[name] === null)
  const schema = Type.Unsafe<Record<string, string>>({
    type: 'object',
    description: "Values of the agent's variables.",
    properties: Object.fromEntries(names.map(name => [name, variableValues])),
    required,
    additionalProperties: false,
  })
  return Type.Closed({ ...askFields, variables: required.length > 0 ? schema : Type.Optional(schema) })
}

export const AnswerInput = Type.Closed({
  runId: idOf('run', { description: 'The run that an agent began, as a message of its tool names it.' }),
})

export const AnswerOutput = Type.Closed({
  runId: Type.String({ description: 'Id of the run.', examples: [exampleId('run')] }),
  conversationId: Type.String({ description: 'Send it with the next prompt to go on.' }),
  answer: Type.String({ description: 'The answer; `[1]` marks what citation 1 rests on.' }),
  citations: Type.Array(
    Type.Closed({
      marker: Type.String({ description: 'The marker in the answer.' }),
      id: Type.String({ description: 'What `fetch` takes, to read around the quote.' }),
      url: Type.String({ description: 'The page of the document, for people.' }),
      quote: Type.String({ description: 'Exact words of the document.' }),
      page: nullable(Type.Integer(), { description: 'Page number; null for documents without pages.' }),
    }),
  ),
})
export type AnswerOutput = Static<typeof AnswerOutput>
