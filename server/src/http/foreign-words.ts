/** The words of other APIs for what has another name here, as hints in the refusal of an unknown name. */

/** Names here that the word may stand for, the likeliest first. Only those that the request may have are suggested. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  active: ['enabled', 'status'],
  additional_messages: ['messages'],
  after_id: ['after'],
  assistant_id: ['agentId'],
  assistant_ids: ['agentIds'],
  body: ['text'],
  body_text: ['text'],
  bot_id: ['agentId'],
  callback: ['callbackUrl', 'url'],
  callback_url: ['callbackUrl', 'url'],
  chat_id: ['conversationId'],
  content: ['prompt', 'text', 'query'],
  continuation_token: ['after'],
  corpus_id: ['collectionId'],
  count: ['pageSize'],
  cursor: ['after'],
  data: ['text'],
  dataset_id: ['collectionId'],
  dataset_ids: ['collectionIds'],
  direction: ['sort'],
  disabled: ['enabled', 'status'],
  display_name: ['name'],
  document_ids: ['attachments', 'documentIds'],
  documents: ['attachments', 'documentIds'],
  emails: ['email'],
  enabled_events: ['eventTypes'],
  end_user: ['endUserId'],
  endpoint: ['url'],
  events: ['eventTypes'],
  expiration: ['expiresAt'],
  expires: ['expiresAt'],
  expires_at: ['expiresAt'],
  expires_in: ['expiresAt'],
  expires_in_days: ['expiresAt'],
  expiry: ['expiresAt'],
  file_ids: ['attachments', 'documentIds', 'collectionIds'],
  file_name: ['name'],
  filename: ['name'],
  files: ['attachments', 'documentIds', 'collectionIds'],
  filters: ['filter'],
  folder_id: ['collectionId'],
  from: ['createdAfter'],
  history: ['messages'],
  image: ['attachments'],
  images: ['attachments'],
  index: ['collectionId'],
  input: ['prompt', 'query'],
  inputs: ['variables'],
  ip_allowlist: ['allowedAddresses'],
  is_active: ['enabled', 'status'],
  json_schema: ['responseSchema'],
  k: ['pageSize'],
  keyword: ['query'],
  keywords: ['query'],
  knowledge_base_id: ['collectionId'],
  knowledge_base_ids: ['collectionIds'],
  knowledge_id: ['collectionId'],
  label: ['name'],
  limit: ['pageSize'],
  max_completion_tokens: ['limits.maxOutputTokens'],
  max_output_tokens: ['limits.maxOutputTokens'],
  max_results: ['pageSize'],
  max_tokens: ['limits.maxOutputTokens'],
  message: ['prompt', 'messages', 'query'],
  messages: ['prompt'],
  metadata_filter: ['filter'],
  n: ['pageSize'],
  namespace: ['collectionId', 'collectionIds'],
  next: ['after'],
  next_cursor: ['after'],
  next_page: ['after'],
  next_page_token: ['after'],
  next_token: ['after'],
  num_results: ['pageSize'],
  offset: ['page'],
  order: ['sort'],
  order_by: ['sort'],
  output_schema: ['responseSchema'],
  page_number: ['page'],
  page_token: ['after'],
  per_page: ['pageSize'],
  persona: ['instructions'],
  previous_response_id: ['conversationId'],
  prompt: ['instructions', 'query'],
  q: ['query'],
  query: ['prompt', 'name'],
  question: ['prompt', 'query'],
  reasoning: ['modelParameters.reasoningEffort'],
  reasoning_effort: ['modelParameters.reasoningEffort'],
  response_format: ['responseSchema'],
  response_schema: ['responseSchema'],
  schema: ['responseSchema'],
  scopes: ['permissions'],
  search: ['query'],
  search_query: ['query'],
  search_type: ['mode'],
  seed: ['modelParameters.seed'],
  session_id: ['conversationId'],
  since: ['createdAfter'],
  size: ['pageSize'],
  skip: ['page'],
  sort_by: ['sort'],
  sort_order: ['sort'],
  starting_after: ['after'],
  stop: ['modelParameters.stop'],
  stop_sequences: ['modelParameters.stop'],
  system: ['instructions'],
  system_instruction: ['instructions'],
  system_instructions: ['instructions'],
  system_message: ['instructions'],
  system_prompt: ['instructions'],
  tags: ['metadata'],
  take: ['pageSize'],
  target_url: ['url'],
  temperature: ['modelParameters.temperature'],
  term: ['query'],
  text: ['prompt', 'query'],
  text_format: ['responseSchema'],
  thread_id: ['conversationId'],
  timeout: ['limits.timeoutSeconds'],
  title: ['name'],
  to: ['createdBefore'],
  tool_resources: ['collectionIds'],
  top: ['pageSize'],
  top_k: ['pageSize'],
  top_p: ['modelParameters.topP'],
  until: ['createdBefore'],
  user: ['endUserId', 'userId'],
  user_email: ['email'],
  user_id: ['endUserId', 'userId'],
  vector_store_id: ['collectionId'],
  vector_store_ids: ['collectionIds'],
  webhook: ['callbackUrl', 'url'],
  webhook_url: ['callbackUrl', 'url'],
  where: ['filter'],
}

/** What is said in another way here than by a field of a run. */
const otherWays: Readonly<Record<string, string>> = {
  agent_id: 'the agent is in the path',
  assistant_id: 'the agent is in the path: /agents/{id}/run',
  async: 'send the header "Prefer: respond-async"',
  background: 'send the header "Prefer: respond-async"',
  additional_instructions: 'they belong to the agent, or in the prompt',
  instructions: 'they belong to the agent: change it with PATCH /agents/{id}',
  model: 'it belongs to the agent: change it with PATCH /agents/{id}',
  n: 'a run has one answer; start several runs for more',
  response_mode: 'send the header "Accept: text/event-stream" for a stream',
  store: 'each run is kept',
  stream: 'send the header "Accept: text/event-stream" for a stream',
  stream_options: 'a stream always ends with the usage',
  system: 'instructions belong to the agent: change it with PATCH /agents/{id}',
  tools: 'they belong to the agent: change it with PATCH /agents/{id}',
  wait: 'send the header "Prefer: wait=30"',
}

/** What lists say in another way than by a parameter. */
const otherWaysOfLists: Readonly<Record<string, string>> = {
  before: 'lists go forward; send `sort` for the other direction, or `page` for an earlier page',
  ending_before: 'lists go forward; send `sort` for the other direction, or `page` for an earlier page',
  expand: 'replies come whole',
  fields: 'replies come whole',
  include: 'replies come whole',
  select: 'replies come whole',
}

/** The properties of a schema, with those of its objects under dotted names. */
export function namesIn(schema: unknown): string[] {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as {
    properties?: Record<string, unknown>
    anyOf?: unknown[]
  }
  if (anyOf.length > 0) return anyOf.flatMap(namesIn)
  return Object.entries(properties).flatMap(([name, property]) => [
    name,
    ...Object.keys((property as { properties?: object }).properties ?? {}).map(inner => `${name}.${inner}`),
  ])
}

/** The names that a request may have, by their place. */
export type RequestNames = {
  body: readonly string[]
  query: readonly string[]
  headers: readonly string[]
}

/**
 * Our name for a word in the body or the query, the place where it belongs, or how the same is said here; null if none
 * is known.
 */
export function hintFor(word: string, place: 'body' | 'query', names: RequestNames): string | null {
  const [base = ''] = word.split('[')
  const snake = snakeCase(base)
  const sameIn = (known: readonly string[]) => known.find(name => snakeCase(name) === snake)
  const same = sameIn(names[place])
  if (base !== word && same !== undefined) return `write \`${same}\` without brackets, once for each value`
  const ours =
    same ??
    own(synonyms, snake)?.find(name => names[place].includes(name)) ??
    (place === 'query' ? dateNameOf(word, names.query) : undefined)
  if (ours !== undefined) return `did you mean \`${ours}\`?`
  const header = sameIn(names.headers)
  if (header !== undefined) return `send it as the header ${header}`
  const [other, elsewhere] =
    place === 'body' ? [sameIn(names.query), 'in the URL'] : [sameIn(names.body), 'in the body']
  if (other !== undefined) return `send \`${other}\` ${elsewhere}`
  if (names.body.includes('prompt')) return own(otherWays, snake) ?? null
  return names.query.includes('page') ? (own(otherWaysOfLists, snake) ?? null) : null
}

/** A range in brackets, such as `created[gte]`. */
function dateNameOf(word: string, names: readonly string[]): string | undefined {
  const [, field = '', end = ''] = /^(\w+?)(?:_?[aA]t)?\[([gl]te?)\]$/.exec(word) ?? []
  return names.find(name => name === `${field}${end.startsWith('g') ? 'After' : 'Before'}`)
}

const own = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const snakeCase = (name: string): string =>
  name
    .slice(0, 64)
    .replaceAll('-', '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
