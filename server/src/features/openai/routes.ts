/** The routes of OpenAI's protocol under `/v1`: models, chats, responses, conversations and embeddings. */
import { EventText, type ServerEvent } from '../../http/replies/event-stream.ts'
import { bareJson, defineRoute, events, type Reply, type Route } from '../../http/route.ts'
import type { Caller, RequestCaller } from '../../platform/caller.ts'
import { found, stopping } from '../../platform/errors.ts'
import { Type } from '../../platform/json-schema/type.ts'
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import { itemsQuery, LenientBody, listOf, sliceOfItems } from './about-routes.ts'
import { type Answer, isHeld, modelOf, outcomeOf } from './answer.ts'
import {
  chatForm,
  completionOf,
  createChatStream,
  failureChunk,
  textCompletionOf,
  textForm,
} from './chat-reply.ts'
import { type Conversations, presentConversation } from './conversations.ts'
import { type EmbeddingService, embeddingLimits } from './embeddings.ts'
import { callsFunctions, type Failure, failureOf, openAiPrefix } from './errors.ts'
import { inputItemsOf, responseIdOf, runIdOf } from './items.ts'
import { type Asked, asksResults } from './requests/reading.ts'
import { readChat, readCompletion, readResponse } from './requests/requests.ts'
import { responseOf } from './response-reply.ts'
import {
  createResponseStream,
  eventsAfter,
  eventsOf,
  type ResponseEvent,
  stepsWithSources,
} from './response-stream.ts'
import type { OpenAiService } from './service.ts'

export const openAiRoutes = (
  service: OpenAiService,
  conversations: Conversations,
  embeddings: EmbeddingService,
): Route[] => [
  ...modelRoutes(service),
  ...startRoutes(service),
  ...responseRoutes(service),
  embeddingRoute(embeddings),
  ...conversationRoutes(conversations),
]

const EndUserHeader = Type.Object({ 'X-OpenWebUI-User-Id': Type.Optional(Type.String({ maxLength: 200 })) })

const modelRoutes = (service: OpenAiService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/models',
    operationId: 'listOpenAiModels',
    summary: 'List agents and models',
    description: 'All on one page, as clients expect it.',
    permission: 'agents:read',
    handle: async ({ caller }) => bareJson({ object: 'list', data: await service.models(caller) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/models/:model',
    operationId: 'getOpenAiModel',
    summary: 'Get an agent or a model',
    description: 'By its id or its name.',
    permission: 'agents:read',
    pathTexts: {
      model: { description: 'Id or name of the agent, or of the model.', example: 'leave-and-holidays' },
    },
    handle: async ({ caller, params }) => bareJson(await service.model(caller, params.model)),
  }),
]

const startRoutes = (service: OpenAiService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/chat/completions',
    operationId: 'createOpenAiChatCompletion',
    summary: 'Answer a chat',
    description: 'Runs the agent or the model that `model` names.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'run.create',
    headers: EndUserHeader,
    body: LenientBody,
    answersEvents: 'asked',
    handle: async ({ caller, body, headers, signal, patience }) => {
      const { signal: within } = patience()
      // Some clients send the body of a response here.
      const asked = 'messages' in body || !('input' in body) ? readChat(body) : readResponse(body)
      const begun = await service.ask(caller, withEndUser(asked, headers['X-OpenWebUI-User-Id']))
      const { includeUsage, run } = asked
      const holds = isHeld({ responseSchema: null, toolChoice: 'auto', ...run })
      if (asked.stream) {
        return chatStream(service, caller, { ...begun, includeUsage, holds, form: chatForm })
      }
      return await whole(service, caller, begun.runId, { signal: signal(), within }, completionOf)
    },
    followAgain: async ({ caller, location }) =>
      chatStream(service, caller, { ...(await completed(service, caller, location)), form: chatForm }),
  }),
  defineRoute({
    method: 'POST',
    path: '/completions',
    operationId: 'createOpenAiCompletion',
    summary: 'Go on from a text',
    description:
      'Runs the agent or the model that `model` names with `prompt`, for programs from before chats.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'run.create',
    headers: EndUserHeader,
    body: LenientBody,
    answersEvents: 'asked',
    handle: async ({ caller, body, headers, signal, patience }) => {
      const { signal: within } = patience()
      const asked = readCompletion(body)
      const begun = await service.ask(caller, withEndUser(asked, headers['X-OpenWebUI-User-Id']))
      const { includeUsage } = asked
      if (asked.stream) {
        return chatStream(service, caller, { ...begun, includeUsage, holds: false, form: textForm })
      }
      return await whole(
        service,
        caller,
        begun.runId,
        { signal: signal(), within },
        textCompletionOf,
        textForm,
      )
    },
    followAgain: async ({ caller, location }) =>
      chatStream(service, caller, { ...(await completed(service, caller, location)), form: textForm }),
  }),
  defineRoute({
    method: 'POST',
    path: '/responses',
    operationId: 'createOpenAiResponse',
    summary: 'Create a response',
    description: 'Runs the agent or the model that `model` names.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'run.create',
    headers: EndUserHeader,
    body: LenientBody,
    answersEvents: 'asked',
    handle: async ({ caller, body, headers, signal, patience }) => {
      const { signal: within } = patience()
      const asked = readResponse(body)
      const { runId } = await service.ask(caller, withEndUser(asked, headers['X-OpenWebUI-User-Id']))
      const id = responseIdOf(runId)
      if (asked.stream) return await responseStream(service, caller, { id, stays: asked.background })
      if (asked.background) {
        const { run } = await service.show(caller, id)
        return bareJson(await shownResponse(service, caller, run))
      }
      return await whole(service, caller, runId, { signal: signal(), within }, ({ run }) =>
        shownResponse(service, caller, run),
      )
    },
    followAgain: ({ caller, location }) =>
      responseStream(service, caller, { id: location.split('/').at(-1) ?? '', stays: true }),
  }),
]

const shownInclude = Type.Optional(
  Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 20,
    description: '`file_search_call.results` shows the results of searches; other values are ignored.',
  }),
)
/** Clients write a list with brackets behind its name, or without. */
const includeQuery = { include: shownInclude, 'include[]': shownInclude }

const shownResponse = async (service: OpenAiService, caller: Caller, run: Run, results = false) =>
  responseOf(run, await service.sources(caller, run, run.steps, results))

const responseRoutes = (service: OpenAiService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/responses/:id',
    operationId: 'getOpenAiResponse',
    summary: 'Get a response',
    description: 'With `stream=true` its events, from the beginning or behind `starting_after`.',
    permission: 'agents:read',
    query: Type.Object({
      ...includeQuery,
      stream: Type.Optional(Type.Boolean({ description: 'Whether its events are streamed.' })),
      starting_after: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Number of the last event that arrived.' }),
      ),
    }),
    answersEvents: 'asked',
    handle: async ({ caller, params, query }) => {
      const { stream, starting_after: after } = query
      const results = asksResults([...(query.include ?? []), ...(query['include[]'] ?? [])])
      const { id } = params
      if (stream === true) return await responseStream(service, caller, { id, stays: true, after, results })
      const { run } = await service.show(caller, id)
      return bareJson(await shownResponse(service, caller, run, results))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/responses/:id/cancel',
    operationId: 'cancelOpenAiResponse',
    summary: 'Cancel a response',
    description: 'A response that has ended is returned unchanged.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'run.cancel',
    handle: async ({ caller, params, signal }) =>
      bareJson(await shownResponse(service, caller, await service.cancel(caller, params.id, signal()))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/responses/:id',
    operationId: 'deleteOpenAiResponse',
    summary: 'Erase a response',
    description: 'With its run.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'conversation.delete',
    handle: async ({ caller, params }) => {
      await service.remove(caller, params.id)
      return bareJson({ id: params.id, object: 'response', deleted: true })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/responses/:id/input_items',
    operationId: 'listOpenAiInputItems',
    summary: 'List what a response was asked',
    description: 'The latest first, unless `order` is `asc`.',
    permission: 'agents:read',
    query: itemsQuery,
    handle: async ({ caller, params, query }) => {
      const { run, messages } = await service.show(caller, params.id)
      return bareJson(sliceOfItems(inputItemsOf(run.id, messages), query))
    },
  }),
]

const itemTexts = { itemId: { description: 'Id of the item.', example: 'item_01kajz4v7qf3x8m2c9t5b6n0rw' } }

const conversationRoutes = (conversations: Conversations): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/conversations',
    operationId: 'createOpenAiConversation',
    summary: 'Begin a conversation',
    description: 'With items, if some are given.',
    permission: 'agents:run',
    audit: 'openai_conversation.create',
    body: LenientBody,
    handle: async ({ caller, body }) =>
      bareJson(presentConversation(await conversations.create(caller, body))),
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id',
    operationId: 'getOpenAiConversation',
    summary: 'Get a conversation',
    description: 'Without its items.',
    permission: 'agents:read',
    handle: async ({ caller, params }) =>
      bareJson(presentConversation(await conversations.get(caller, params.id))),
  }),
  defineRoute({
    method: 'POST',
    path: '/conversations/:id',
    operationId: 'updateOpenAiConversation',
    summary: 'Change the metadata of a conversation',
    description: 'All of it.',
    permission: 'agents:run',
    audit: 'openai_conversation.update',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(presentConversation(await conversations.update(caller, params.id, body))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/conversations/:id',
    operationId: 'deleteOpenAiConversation',
    summary: 'Delete a conversation',
    description: 'Its responses stay.',
    permission: 'agents:run',
    audit: 'openai_conversation.delete',
    handle: async ({ caller, params }) => {
      await conversations.remove(caller, params.id)
      return bareJson({ id: params.id, object: 'conversation.deleted', deleted: true })
    },
  }),
  ...itemRoutes(conversations),
]

const itemRoutes = (conversations: Conversations): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/conversations/:id/items',
    operationId: 'listOpenAiConversationItems',
    summary: 'List the items of a conversation',
    description: 'The latest first, unless `order` is `asc`.',
    permission: 'agents:read',
    query: itemsQuery,
    handle: async ({ caller, params, query }) =>
      bareJson(sliceOfItems(await conversations.items(caller, params.id), query)),
  }),
  defineRoute({
    method: 'POST',
    path: '/conversations/:id/items',
    operationId: 'createOpenAiConversationItems',
    summary: 'Add items to a conversation',
    description: 'Behind those that are there.',
    permission: 'agents:run',
    audit: 'openai_conversation.update',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(listOf(await conversations.addItems(caller, params.id, body), false)),
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id/items/:itemId',
    operationId: 'getOpenAiConversationItem',
    summary: 'Get an item of a conversation',
    description: 'As the list shows it.',
    permission: 'agents:read',
    pathTexts: itemTexts,
    handle: async ({ caller, params }) => {
      const items = await conversations.items(caller, params.id)
      return bareJson(found(items.find(({ id }) => id === params.itemId)))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/conversations/:id/items/:itemId',
    operationId: 'deleteOpenAiConversationItem',
    summary: 'Delete an item of a conversation',
    description: 'One that was put in; those of responses go with their responses.',
    permission: 'agents:run',
    audit: 'openai_conversation.update',
    pathTexts: itemTexts,
    handle: async ({ caller, params }) =>
      bareJson(presentConversation(await conversations.removeItem(caller, params.id, params.itemId))),
  }),
]

const embeddingRoute = (embeddings: EmbeddingService): Route =>
  defineRoute({
    method: 'POST',
    path: '/embeddings',
    operationId: 'createOpenAiEmbeddings',
    summary: 'Embed texts',
    description: "By the model of the server's search.",
    permission: 'knowledge:read',
    // Embedding reads no documents.
    appliesFilter: true,
    audit: null,
    body: LenientBody,
    bodyLimits: embeddingLimits,
    handle: async ({ caller, body, signal }) => bareJson(await embeddings.embed(caller, body, signal())),
  })

/** The completion that a stream of the location was of. */
async function completed(service: OpenAiService, caller: Caller, location: string) {
  const runId = runIdOf(location.split('/').at(-1) ?? '') ?? ''
  const { run } = await service.show(caller, responseIdOf(runId))
  return { runId: run.id, model: modelOf(run), includeUsage: true, holds: isHeld(run) }
}

function withEndUser(asked: Asked, endUserId: string | undefined): Asked {
  if (endUserId !== undefined && endUserId !== '') asked.run.endUserId ??= endUserId
  return asked
}

type Waiting = { signal: AbortSignal; within: AbortSignal }

/**
 * Waits for the end of a run; the run is cancelled if its client leaves before. Get `within` before the run begins:
 * otherwise the departure of a client that left before then is missed.
 */
async function whole(
  service: OpenAiService,
  caller: RequestCaller,
  runId: string,
  { signal, within }: Waiting,
  present: (answer: Answer) => object | Promise<object>,
  { hasCalls } = chatForm,
): Promise<Reply<never>> {
  for await (const { run } of watched(service, caller, runId, within)) {
    const outcome = run === undefined ? null : outcomeOf(run, service.linksFor(caller.scope))
    if (outcome?.kind === 'failure') return failureReply(outcome.failure)
    if (outcome?.kind !== 'answer') continue
    const { calls } = outcome.answer
    if (calls.length === 0 || hasCalls) return bareJson(await present(outcome.answer))
    await service.stop(caller, runId)
    return failureReply(callsFunctions(calls.map(({ name }) => name)))
  }
  signal.throwIfAborted()
  throw stopping()
}

/** The events of a run. The run is cancelled if its reader stops before its end. */
async function* watched(
  service: OpenAiService,
  caller: Caller,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  let isAtRest = false
  try {
    for await (const event of service.follow(caller, runId, signal)) {
      isAtRest ||= event.run !== undefined
      yield event
    }
  } finally {
    if (!isAtRest) await service.stop(caller, runId)
  }
}

const failureReply = ({ error, status, retryable }: Failure): Reply<never> =>
  bareJson({ error, retryable }, { status, headers: { 'x-should-retry': String(retryable) } })

const done: ServerEvent = { data: new EventText('[DONE]') }

function chatStream(
  service: OpenAiService,
  caller: Caller,
  chat: Omit<Parameters<typeof createChatStream>[0], 'linkTo'>,
): Reply<never> {
  const stream = createChatStream({ ...chat, linkTo: service.linksFor(caller.scope) })
  const follow = async function* (signal: AbortSignal): AsyncGenerator<ServerEvent> {
    for await (const event of watched(service, caller, chat.runId, signal)) {
      for (const data of stream.take(event)) yield { data }
      if (stream.ending() === 'answer') yield done
      if (stream.ending() !== null) return
    }
  }
  const place = chat.form.hasCalls ? 'chat/completions' : 'completions'
  const location = `${openAiPrefix}/${place}/${chat.form.idOf(chat.runId)}`
  return events(follow, { location }, reason =>
    stream.ending() === null ? [{ data: failureChunk(failureOf(reason)) }] : [],
  )
}

/** From the beginning, or after the event with number `after`. A response that `stays` goes on without its client. */
async function responseStream(
  service: OpenAiService,
  caller: Caller,
  {
    id,
    stays,
    after = -1,
    results = false,
  }: { id: string; stays: boolean; after?: number | undefined; results?: boolean },
): Promise<Reply<never>> {
  const linkTo = service.linksFor(caller.scope)
  const { run } = await service.show(caller, id)
  const stream = createResponseStream({ run, linkTo, holds: isHeld(run) })
  const shown = (happened: readonly ResponseEvent[]): ServerEvent[] =>
    happened.flatMap(event => eventsAfter(after, event)).map(data => ({ event: data.type, data }))
  const isAtRest = run.finishedAt !== null || run.status === 'waiting'
  const happening = (signal: AbortSignal) =>
    isAtRest
      ? eventsOf(run, linkTo)
      : stays
        ? service.follow(caller, run.id, signal)
        : watched(service, caller, run.id, signal)
  const follow = async function* (signal: AbortSignal): AsyncGenerator<ServerEvent> {
    yield* shown(stream.beginning())
    for await (const event of happening(signal)) {
      const sources = await service.sources(caller, run, stepsWithSources(event), results)
      yield* shown(stream.take(event, sources))
      if (stream.ending() === 'answer') yield done
      if (stream.ending() !== null) return
    }
  }
  return events(follow, { location: `${openAiPrefix}/responses/${id}` }, reason =>
    stream.ending() === null ? shown(stream.failed(failureOf(reason))) : [],
  )
}
