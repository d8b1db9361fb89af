/** The success replies of the OpenAPI document: each has a description, a named schema and an example. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { exampleId } from '../../platform/schemas.ts'
import { successSchemas } from '../responses.ts'
import type { Message, Route } from '../route.ts'
import { type Components, capital, type Json, nameOf, type Ref } from './components.ts'

type HeadersOf = (route: Route, status: number) => Json
type Reply = { description: string; headers: Json; content?: Json }

export function successReplies(
  route: Route,
  components: Components,
  headersOf: HeadersOf,
): Record<string, Reply | Ref> {
  const replies: Record<string, Reply> = {}
  for (const status of route.success) {
    replies[status] = { description: textOf(route, status, null), headers: headersOf(route, status) }
  }
  if (route.answersFile) {
    const schema = { type: 'string', format: 'binary' }
    const { fileTypes = ['application/octet-stream', '*/*'] } = route
    const content = Object.fromEntries(
      fileTypes.map(type => [type, { schema, example: 'The bytes of the file.' }]),
    )
    replies[200] = { description: textOf(route, 200, null), headers: headersOf(route, 200), content }
    if (answersParts(route)) {
      const description = 'The part of the file that `Range` asks for.'
      replies[206] = { description, headers: headersOf(route, 206), content }
    }
  }
  for (const [status, whole] of successSchemas(route)) {
    const isDocument = route.isFixed && route.data !== undefined
    const isPreview = !route.success.some(known => known === status)
    const schema = components.replySchema(isDocument && route.data !== undefined ? route.data : whole)
    const example = isPreview ? previewExample : exampleReply(route)
    replies[status] = {
      description: isPreview ? previewText : textOf(route, status, wordsOf(route)) + previewOf(route, status),
      headers: headersOf(route, status),
      content: {
        'application/json': withoutUndefined<Json>({
          schema,
          examples: example === null ? undefined : exampleOf(route, schema, example, components),
        }),
      },
    }
  }
  if (route.events !== undefined) addEvents(replies, route, components, headersOf)
  return answersTagged(route) ? { ...replies, 304: { $ref: '#/components/responses/NotModified' } } : replies
}

/** A read whose reply a client may keep. A file that is made while it is sent has no tag. */
export const answersTagged = (route: Route): boolean =>
  route.method === 'GET' && route.answersEvents !== 'always' && (!route.answersFile || answersParts(route))

export const answersParts = ({ errors }: Route): boolean => errors.includes('range_not_satisfiable')

/** A stream is described by the schema of its events' `data`. */
function addEvents(
  replies: Record<string, Reply>,
  route: Route,
  components: Components,
  headersOf: HeadersOf,
): void {
  const { events, eventsExample } = route
  if (events === undefined) return
  const schema = components.replySchema(events)
  const streamed = withoutUndefined<Json>({
    schema,
    examples: eventsExample === undefined ? undefined : exampleOf(route, schema, eventsExample, components),
  })
  const described = replies[200] ?? {
    description: textOf(route, 200, null),
    headers: headersOf(route, 200),
  }
  const content = { ...described.content, 'text/event-stream': streamed }
  replies[200] = { ...described, content }
}

/** Named after the schema if its replies show the same example, otherwise after the operation. */
function exampleOf(route: Route, schema: Json, value: unknown, components: Components): Record<string, Ref> {
  const name = '$ref' in schema ? nameOf(schema as Ref) : capital(route.operationId)
  const isShared = components.isFree('examples', name, { value })
  const key = isShared ? name : `${capital(route.operationId)}Reply`
  return { [key]: components.add('examples', key, { value }) }
}

const previewText = 'With `dryRun=true`: what the call would do. Nothing has changed.'

/** The text for a call whose preview has the same status as its result. */
const previewOf = ({ destructive }: Route, status: number): string =>
  destructive && status === 200 ? ` ${previewText}` : ''

const previewExample = {
  data: {
    dryRun: true,
    effects: [{ effect: 'deleted', resource: 'document', count: 1, ids: [exampleId('document')] }],
  },
}

function exampleReply({ list, example }: Route): unknown {
  if (example === undefined) return null
  return list === undefined
    ? { data: example }
    : { data: example, meta: { page: 1, pageSize: list.defaultPageSize, total: 1 } }
}

/** The description of a reply: the route's own words, or words made from the name of its data. */
function textOf(route: Route, status: number, data: string | null): string {
  const { replyTexts = {}, method, list } = route
  const own = Object.entries(replyTexts).find(([known]) => Number(known) === status)?.[1]
  if (own !== undefined) return own
  if (status === 204) return `The ${ownerOf(route)} is deleted. The reply has no body.`
  if (data === null) return 'The events of the run, until it ends or waits.'
  if (list !== undefined) return `One page of ${plural(data)}; \`meta\` says how many there are.`
  if (status === 201) return `The new ${data}; \`Location\` is its address.`
  if (status === 202)
    return `The ${data} so far. The work goes on; \`Location\` is where to look for its end.`
  return method === 'GET' ? `The ${data} as it stands.` : `The ${data} after the call.`
}

/** The name of the data in words: `AgentTemplate` is an agent template. */
function wordsOf({ data }: Route): string {
  const { title, items, anyOf } = (data ?? {}) as Json & { items?: Json; anyOf?: Json[] }
  const name = title ?? items?.title ?? anyOf?.[0]?.title
  const shown = String(name ?? 'Result').replace(/^Listed|Detail$/, '')
  return inWords(shown).replace(/ with secret$/, ' with its secret')
}

const inWords = (name: string): string =>
  (name.match(/OAuth|[A-Z][a-z]+/g) ?? [name]).map(word => specialWords[word] ?? word.toLowerCase()).join(' ')

const specialWords: Readonly<Record<string, string>> = { Api: 'API', OAuth: 'OAuth' }

const plural = (words: string): string =>
  /[^aeiou]y$/.test(words) ? `${words.slice(0, -1)}ies` : `${words}s`

/** What a path is about: its last segment that is not a parameter. */
function ownerOf({ path }: Route): string {
  const segments = path.split('/').filter(segment => !segment.startsWith(':'))
  const last = segments.at(-1) ?? ''
  return { integrations: 'connection' }[last] ?? last.replace(/s$/, '').replaceAll('-', ' ')
}

/**
 * Requests that the server sends, each described as the operation that receives it: webhooks, and callbacks of runs.
 */
export const messagesOf = (messages: Readonly<Record<string, Message>>, components: Components): Json =>
  Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [
      name,
      { post: { operationId: idOf('receive', name), ...received(message, components) } },
    ]),
  )

export const callbacksOf = ({ callsBack }: Route, components: Components): Json | undefined =>
  callsBack &&
  Object.fromEntries(
    Object.entries(callsBack.messages).map(([name, message]) => [
      name,
      {
        [`{$request.body#/${callsBack.field}}`]: {
          post: { operationId: idOf('callBack', name), ...received(message, components) },
        },
      },
    ]),
  )

/** Such as `receiveRunSucceeded`. */
const idOf = (verb: string, type: string): string =>
  verb + type.replaceAll(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())

/**
 * A tag of their own: generators make one class of a tag, and leave out the API's operations if requests that the
 * server sends have the same tag.
 */
export const receivedTag = {
  name: 'received-events',
  description: 'Requests that the server sends to your endpoints: webhooks, and callbacks of runs.',
}

const received = ({ summary, description, schema, example }: Message, components: Components): Json => ({
  tags: [receivedTag.name],
  summary,
  description,
  security: [],
  parameters: signatureHeaders,
  requestBody: {
    required: true,
    content: {
      'application/json': withoutUndefined<Json>({ schema: components.replySchema(schema), example }),
    },
  },
  responses: {
    '2XX': { description: 'The delivery has arrived. Any status but this and 410 is tried again.' },
    '410': { description: 'The receiver is gone: an endpoint is disabled, and a callback is given up.' },
  },
})

/** The headers of Standard Webhooks, written out: openapi-generator takes references here for duplicates. */
const signatureHeaders: Json[] = [
  {
    name: 'webhook-id',
    description: 'Id of the event, the same with every attempt.',
    example: exampleId('event'),
  },
  {
    name: 'webhook-timestamp',
    description: 'When the attempt was made, in Unix epoch seconds.',
    example: '1795253402',
  },
  {
    name: 'webhook-signature',
    description: 'One `v1,` signature for each secret that is valid, separated by spaces.',
    example: 'v1,K5oZ…=',
  },
].map(({ name, description, example }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
}))
