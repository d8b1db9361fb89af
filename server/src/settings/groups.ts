/** The settings of connections, sign-in, integrations, knowledge, models and plans; `settings.ts` has the server's own. */

import type { Plan } from '../platform/caller.ts'
import { dayMs } from '../platform/clock.ts'
import {
  command,
  days,
  httpUrl,
  languageCode,
  list,
  oneOf,
  optional,
  type Setting,
  seconds,
  secret,
  setting,
  text,
  wholeNumber,
} from './setting.ts'

// What connections may cost: how many there are, how long a request takes to arrive, and how often a stranger may ask.

export const connectionSettings = {
  maxConnections: setting(
    'ATRIUM_MAX_CONNECTIONS',
    wholeNumber(10, 1_000_000),
    4_000,
    'Connections that this process holds open.',
  ),
  maxConnectionsPerAddress: setting(
    'ATRIUM_MAX_CONNECTIONS_PER_ADDRESS',
    wholeNumber(1, 1_000_000),
    500,
    'Connections that one address may hold open, other than this machine and trusted proxies.',
  ),
  maxBodyMemoryMb: setting(
    'ATRIUM_BODY_MEMORY_MB',
    wholeNumber(16, 1_000_000),
    192,
    'JSON bodies of all requests in progress, in MiB; those up to 16 KiB always pass.',
  ),
  maxBodyMemoryPerWorkspaceMb: setting(
    'ATRIUM_BODY_MEMORY_PER_WORKSPACE_MB',
    wholeNumber(16, 1_000_000),
    48,
    'The same for one workspace, or one address without a key.',
  ),
  requestTimeoutMs: setting(
    'ATRIUM_REQUEST_TIMEOUT_SECONDS',
    seconds(5, 86_400),
    900_000,
    'How long a request may take to arrive.',
  ),
  anonymousRate: setting(
    'ATRIUM_ANONYMOUS_RATE',
    wholeNumber(1, 10_000_000),
    60,
    'Requests a minute without a valid key, by address.',
  ),
  visitorRate: setting(
    'ATRIUM_VISITOR_RATE',
    wholeNumber(1, 10_000_000),
    3_000,
    'Requests a minute to pages, /docs, /healthz and /readyz, by address.',
  ),
} as const

// How people sign in: who may make an account, how long a session lasts, and the single sign-on server.

export const signInSettings = {
  signUp: setting(
    'ATRIUM_SIGN_UP',
    oneOf(['closed', 'open']),
    'closed' as 'closed' | 'open',
    'Whether anyone may make an account.',
  ),
  sessionMs: setting('ATRIUM_SESSION_DAYS', days(1, 365), 30 * dayMs, 'How long a person stays signed in.'),
  oidcIssuer: setting(
    'ATRIUM_OIDC_ISSUER',
    optional(httpUrl),
    null,
    'Single sign-on server (OpenID Connect), such as https://login.example.com.',
  ),
  oidcClientId: setting('ATRIUM_OIDC_CLIENT_ID', optional(text), null, 'Client that is registered there.'),
  oidcClientSecret: secret('ATRIUM_OIDC_CLIENT_SECRET', text, 'Its secret.'),
  oidcName: setting('ATRIUM_OIDC_NAME', text, 'Single sign-on', 'What the sign-in page calls it.'),
} as const

// The OAuth clients that the operator has registered with the services; workspaces can set their own over the API.

const client = (variable: string, service: string) =>
  setting(variable, optional(text), null, `OAuth client of the ${service} integration.`)

const clientSecret = (variable: string) => secret(variable, text, 'Its secret.')

export const integrationSettings = {
  githubClientId: client('ATRIUM_GITHUB_CLIENT_ID', 'GitHub'),
  githubClientSecret: clientSecret('ATRIUM_GITHUB_CLIENT_SECRET'),
  googleClientId: client('ATRIUM_GOOGLE_CLIENT_ID', 'Google Drive'),
  googleClientSecret: clientSecret('ATRIUM_GOOGLE_CLIENT_SECRET'),
  slackClientId: client('ATRIUM_SLACK_CLIENT_ID', 'Slack'),
  slackClientSecret: clientSecret('ATRIUM_SLACK_CLIENT_SECRET'),
  notionClientId: client('ATRIUM_NOTION_CLIENT_ID', 'Notion'),
  notionClientSecret: clientSecret('ATRIUM_NOTION_CLIENT_SECRET'),
}

// How documents are read, and how long what was deleted or replaced is kept.

export const knowledgeSettings = {
  parsingTimeoutMs: setting(
    'ATRIUM_PARSING_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    60_000,
    'Longest time for reading one document.',
  ),
  embeddingTimeoutMs: setting(
    'ATRIUM_EMBEDDING_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    300_000,
    'How long a document waits for its vectors; then it is ready without, and they follow.',
  ),
  indexingTimeoutMs: setting(
    'ATRIUM_INDEXING_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    600_000,
    'Longest time for writing one document into the search index.',
  ),
  parserContainer: setting(
    'ATRIUM_PARSER_CONTAINER',
    oneOf(['auto', 'required', 'off']),
    'auto' as 'auto' | 'required' | 'off',
    'Container of the processes that read files: what the machine offers, all or no start, or none.',
  ),
  ocr: setting(
    'ATRIUM_OCR',
    oneOf(['on', 'off']),
    'on' as 'on' | 'off',
    'Whether the text of pictures and of scanned pages is recognised.',
  ),
  ocrLanguages: setting(
    'ATRIUM_OCR_LANGUAGES',
    list(languageCode),
    ['eng'],
    'Languages of pictures and scans. Each but eng needs its package: npm install @tesseract.js-data/deu',
  ),
  ocrCommand: setting(
    'ATRIUM_OCR_COMMAND',
    optional(command),
    null,
    'Program that reads text from pictures and scans in place of the built-in one: tesseract {file} stdout -l eng+deu',
  ),
  ocrTimeoutMs: setting(
    'ATRIUM_OCR_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    1_800_000,
    'Longest time for reading the pictures of one document.',
  ),
  converterCommand: setting(
    'ATRIUM_CONVERTER_COMMAND',
    optional(command),
    null,
    'Program that converts files which Atrium cannot read, such as: soffice --headless --convert-to pdf --outdir {folder} {file}',
  ),
  converterTypes: setting(
    'ATRIUM_CONVERTER_TYPES',
    list(oneOf(['doc', 'xls', 'ppt', 'iwork', 'heic', 'audio', 'video'])),
    ['doc', 'xls', 'ppt'],
    'What it converts: doc, xls, ppt, iwork, heic, audio, video.',
  ),
  converterTimeoutMs: setting(
    'ATRIUM_CONVERTER_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    120_000,
    'Longest time for converting one document.',
  ),
  urlTimeoutMs: setting(
    'ATRIUM_URL_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    120_000,
    'Longest time for fetching a document by its URL.',
  ),
  trashMs: setting(
    'ATRIUM_TRASH_DAYS',
    days(1, 3_650),
    30 * dayMs,
    'How long deleted documents and collections can be restored.',
  ),
  documentVersions: setting(
    'ATRIUM_DOCUMENT_VERSIONS',
    wholeNumber(0, 1_000),
    20,
    'Replaced versions that are kept of each document.',
  ),
} as const

// Which models there are: for agents, for search by meaning, for putting results in order.

export const modelSettings = {
  openaiApiKey: secret('OPENAI_API_KEY', text, "Key for OpenAI's models."),
  openaiBaseUrl: setting(
    'OPENAI_BASE_URL',
    optional(httpUrl),
    null,
    'OpenAI-compatible server, such as http://127.0.0.1:11434/v1.',
  ),
  anthropicApiKey: secret('ANTHROPIC_API_KEY', text, "Key for Anthropic's models."),
  anthropicBaseUrl: setting(
    'ANTHROPIC_BASE_URL',
    optional(httpUrl),
    null,
    "Server that speaks Anthropic's messages, such as http://127.0.0.1:4000/v1.",
  ),
  googleApiKey: secret('GOOGLE_API_KEY', text, "Key for Google's models."),
  defaultModel: setting('ATRIUM_DEFAULT_MODEL', optional(text), null, 'Model of agents that name none.'),
  modelPricesFile: setting(
    'ATRIUM_MODEL_PRICES',
    optional(text),
    null,
    'JSON file with windows and prices of models, before the built-in list.',
  ),
  modelSilenceMs: setting(
    'ATRIUM_MODEL_SILENCE_SECONDS',
    seconds(1, 3_600),
    60_000,
    "Longest silence of a model's server.",
  ),
  embeddingModel: setting(
    'ATRIUM_EMBEDDING_MODEL',
    optional(text),
    null,
    'Model for search by meaning: openai/…, google/… or local/…',
  ),
  vectorScanLimit: setting(
    'ATRIUM_VECTOR_SCAN_LIMIT',
    wholeNumber(0, 10_000_000),
    500_000,
    'Chunks of a workspace up to which vectors are searched in memory.',
  ),
  searchThreads: setting(
    'ATRIUM_SEARCH_THREADS',
    optional(wholeNumber(1, 64)),
    null,
    'Threads for searches; as many as there are processors where unset.',
  ),
  rerankUrl: setting(
    'ATRIUM_RERANK_URL',
    optional(httpUrl),
    null,
    'Reranker with the API of Cohere and Jina, such as https://api.jina.ai/v1/rerank.',
  ),
  rerankModel: setting('ATRIUM_RERANK_MODEL', optional(text), null, 'Its model, where it has several.'),
  rerankApiKey: secret('ATRIUM_RERANK_API_KEY', text, 'Its key.'),
} as const

// What each plan allows: numbers that the operator can change.

const planNumberNames = ['requestsPerMinute', 'storageMb', 'uploadMb', 'members', 'runsAtOnce'] as const

/** What a plan allows. */
export type PlanNumbers = Record<(typeof planNumberNames)[number], number>

const planDefaults: Readonly<Record<Plan, PlanNumbers>> = {
  // Without an API, runs are only those that people begin in the console.
  free: { requestsPerMinute: 0, storageMb: 100, uploadMb: 10, members: 2, runsAtOnce: 1 },
  starter: { requestsPerMinute: 100, storageMb: 5_000, uploadMb: 100, members: 10, runsAtOnce: 5 },
  professional: { requestsPerMinute: 500, storageMb: 100_000, uploadMb: 500, members: 100, runsAtOnce: 20 },
  enterprise: {
    requestsPerMinute: 6_000,
    storageMb: 10_000_000,
    uploadMb: 2_048,
    members: 10_000,
    runsAtOnce: 100,
  },
}

export const planSettings = {
  freePlan: planSetting('free', 'Limits of the plan Free.'),
  starterPlan: planSetting('starter', 'Limits of the plan Starter; what is not named keeps its default.'),
  professionalPlan: planSetting('professional', 'Limits of the plan Professional.'),
  enterprisePlan: planSetting('enterprise', 'Limits of the plan Enterprise.'),
} as const

function planSetting(plan: Plan, help: string): Setting<PlanNumbers> {
  const defaults = planDefaults[plan]
  const parse = (value: string) => ({ ...defaults, ...planNumbers(value) })
  return setting(`ATRIUM_PLAN_${plan.toUpperCase()}`, parse, defaults, help)
}

/** `requestsPerMinute=100 storageMb=5000 …`, in any order; what is not named keeps the plan's default. */
function planNumbers(value: string): Partial<PlanNumbers> {
  const pairs = value.trim().split(/[\s,]+/)
  const numbers = pairs.map(pair => {
    const [name = '', number = ''] = pair.split('=')
    if (!planNumberNames.some(known => known === name)) {
      throw new Error(`names "${name}"; a plan has ${planNumberNames.join(', ')}, each as name=number`)
    }
    try {
      return [name, wholeNumber(0, 1_000_000_000)(number)]
    } catch (error) {
      throw new Error(`gives "${number}" for ${name}, which ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(numbers)
}
