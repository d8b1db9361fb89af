/**
 * What the conformance suite of MCP wants to find, behind the same address, checks and streams as Atrium's own tools. The
 * suite sends no key, so the gate is open here. Prints its address, and ends with its input.
 */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  type McpHttpHandler,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import Fastify from 'fastify'
import type { Gate } from '../../http/gate.ts'
import { registerMcp } from '../../http/mcp-endpoint.ts'
import { createLog } from '../../platform/log.ts'

/** One red pixel, and an empty sound. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const states = createRequestStateCodec<{ round: number; name?: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
})

const text = (words: string) => ({ type: 'text' as const, text: words })
const saying = (words: string) => ({ content: [text(words)] })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})
const user = (content: ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>) => ({
  role: 'user' as const,
  content,
})

const asked = (message: string, field: string, value: { type: 'string' | 'boolean' } = { type: 'string' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: value as { type: 'boolean' } },
      required: [field],
    },
  })
const written = (words: string) =>
  inputRequired.createMessage({ messages: [user(text(words)) as never], maxTokens: 50 })

/** What the client says that it can do, under a name that the package's type does not show. */
type Envelope = Record<string, Partial<Record<'elicitation' | 'sampling' | 'roots', object>>>

type Answer = { content: (ReturnType<typeof text> | typeof image | object)[] } | InputRequiredResult

/** Tools without arguments, by their names. */
const tools: Record<string, (context: ServerContext) => Promise<Answer> | Answer> = {
  test_simple_text: () => saying('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing')
  },
  test_streaming_elicitation: () => saying('Nothing but a result.'),
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'Only for those who ask for it')
    return saying('Logged.')
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
    }
    return saying('Tool with logging executed successfully')
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {}
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken ?? '', progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return saying(String(progressToken))
  },
  test_missing_capability: ({ mcpReq }) =>
    mcpReq.inputResponses?.llm_answer === undefined
      ? inputRequired({ inputRequests: { llm_answer: written('Reply with the single word: pong') } })
      : saying('Answered.'),
  test_input_required_result_elicitation: ({ mcpReq }) => {
    const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name
    return typeof name === 'string'
      ? saying(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: asked('What is your name?', 'name') } })
  },
  test_input_required_result_sampling: ({ mcpReq }) =>
    mcpReq.inputResponses?.capital_question === undefined
      ? inputRequired({ inputRequests: { capital_question: written('What is the capital of France?') } })
      : saying(JSON.stringify(mcpReq.inputResponses.capital_question)),
  test_input_required_result_list_roots: ({ mcpReq }) =>
    mcpReq.inputResponses?.client_roots === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : saying(JSON.stringify(mcpReq.inputResponses.client_roots)),
  test_input_required_result_request_state: confirmed('state-ok'),
  test_input_required_result_tampered_state: confirmed('integrity-ok'),
  test_input_required_result_multiple_inputs: async ({ mcpReq }) => {
    const given = Object.keys(mcpReq.inputResponses ?? {})
    if (['user_name', 'greeting', 'client_roots'].every(name => given.includes(name)))
      return saying('All three.')
    return inputRequired({
      inputRequests: {
        user_name: asked('What is your name?', 'name'),
        greeting: written('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ round: 1 }),
    })
  },
  test_input_required_result_multi_round: async ({ mcpReq }) => {
    const { round = 0 } = mcpReq.requestState<{ round: number }>() ?? {}
    if (round === 2) return saying('Multi-round complete')
    const question = round === 0 ? asked('What is your name?', 'name') : asked('Which colour?', 'color')
    return inputRequired({
      inputRequests: { [`step${round + 1}`]: question },
      requestState: await states.mint({ round: round + 1 }),
    })
  },
  test_input_required_result_capabilities: ({ mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return saying('Answered.')
    const { elicitation, sampling, roots } =
      (mcpReq.envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
    const inputRequests: Parameters<typeof inputRequired>[0]['inputRequests'] = {}
    if (elicitation !== undefined) inputRequests.user_name = asked('What is your name?', 'name')
    if (sampling !== undefined) inputRequests.greeting = written('Generate a short greeting')
    if (roots !== undefined) inputRequests.client_roots = inputRequired.listRoots()
    return Object.keys(inputRequests).length === 0
      ? saying('Nothing to ask.')
      : inputRequired({ inputRequests })
  },
  test_trigger_tool_change: () => {
    handler.notify.toolsChanged()
    return saying('Told.')
  },
  test_trigger_prompt_change: () => {
    handler.notify.promptsChanged()
    return saying('Told.')
  },
}

function confirmed(words: string) {
  return async ({ mcpReq }: ServerContext): Promise<Answer> =>
    mcpReq.requestState() !== undefined && mcpReq.inputResponses?.confirm !== undefined
      ? saying(words)
      : inputRequired({
          inputRequests: { confirm: asked('Please confirm', 'ok', { type: 'boolean' }) },
          requestState: await states.mint({ round: 1 }),
        })
}

const textArguments = (...names: string[]) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
    required: names,
  })

function createServer(): McpServer {
  const server = new McpServer(
    { name: 'atrium-fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  )
  for (const [name, answer] of Object.entries(tools)) {
    server.registerTool(
      name,
      { description: `The tool ${name}` },
      (async (context: ServerContext) => await answer(context)) as never,
    )
  }
  const read = (uri: string, mimeType: string, content: { text: string } | { blob: string }) => async () => ({
    contents: [{ uri, mimeType, ...content }],
  })
  for (const [name, mimeType, content] of [
    ['static-text', 'text/plain', { text: 'This is the content of the static text resource.' }],
    ['static-binary', 'image/png', { blob: png }],
    ['watched-resource', 'text/plain', { text: 'Watched resource content' }],
  ] as const) {
    const uri = `test://${name}`
    server.registerResource(
      name,
      uri,
      { description: `The resource ${name}`, mimeType },
      read(uri, mimeType, content),
    )
  }
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'A template', mimeType: 'application/json' },
    async (uri, { id }) => {
      const words = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri: uri.toString(), mimeType: 'application/json', text: words }] }
    },
  )
  const prompt = (name: string) => ({ title: name, description: `The prompt ${name}` })
  server.registerPrompt('test_simple_prompt', prompt('test_simple_prompt'), async () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...prompt('test_prompt_with_arguments'), argsSchema: textArguments('arg1', 'arg2') },
    async ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...prompt('test_prompt_with_embedded_resource'), argsSchema: textArguments('resourceUri') },
    async ({ resourceUri = '' }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', prompt('test_prompt_with_image'), async () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }))
  server.registerPrompt(
    'test_input_required_result_prompt',
    prompt('test_input_required_result_prompt'),
    (async ({ mcpReq }: ServerContext) => {
      const context = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context')?.context
      return context === undefined
        ? inputRequired({ inputRequests: { user_context: asked('Which context?', 'context') } })
        : { messages: [user(text(`Use the following context: ${context}`))] }
    }) as never,
  )
  const inner = server.server
  inner.setRequestHandler('resources/subscribe', async () => ({}))
  inner.setRequestHandler('resources/unsubscribe', async () => ({}))
  inner.setRequestHandler('logging/setLevel', async () => ({}))
  inner.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  return server
}

const handler: McpHttpHandler = createMcpHandler(createServer)
const openGate = {
  enter: async () => ({ kind: 'key' }),
  enterPublic: async () => undefined,
  mayGoOn: async () => true,
} as unknown as Gate

const server = Fastify()
let address = 'http://127.0.0.1'
registerMcp(server, ({ request, body }) => handler.fetch(request, { parsedBody: body }), {
  gate: openGate,
  publicUrl: () => address,
  corsOrigins: [],
  callerCheckMs: 5_000,
  log: createLog({ level: 'warn' }),
})
address = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${address}/mcp\n`)
process.stdin.on('end', () => process.exit(0)).resume()
