/** Every setting of the server: its variable, what it must look like, its default, and one line of help. */
import { type Plan, plans } from './platform/caller.ts'
import type { LogLevel } from './platform/log.ts'
import {
  address,
  httpUrl,
  list,
  oneOf,
  optional,
  origin,
  seconds,
  text,
  textOf,
  urlOf,
  wholeNumber,
} from './setting-values.ts'

type Setting<Value> = {
  variable: string
  /** Turns the text into the value; throws an Error that says what is expected. */
  parse: (text: string) => Value
  default: Value
  help: string
  /** Never printed, neither by --help nor in a fault. */
  secret?: boolean
}

const setting = <Value>(
  variable: string,
  parse: (text: string) => Value,
  byDefault: NoInfer<Value>,
  help: string,
): Setting<Value> => ({ variable, parse, default: byDefault, help })

const secret = <Value>(
  variable: string,
  parse: (text: string) => Value,
  byDefault: NoInfer<Value>,
  help: string,
): Setting<Value> => ({ ...setting(variable, parse, byDefault, help), secret: true })

const planNumberNames = ['requestsPerMinute', 'storageMb', 'uploadMb', 'members', 'runsAtOnce'] as const

/** What a plan allows. */
export type PlanNumbers = Record<(typeof planNumberNames)[number], number>

const planDefaults: Readonly<Record<Plan, PlanNumbers>> = {
  free: { requestsPerMinute: 0, storageMb: 100, uploadMb: 10, members: 2, runsAtOnce: 0 },
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

function planSetting(plan: Plan, help: string): Setting<PlanNumbers> {
  const defaults = planDefaults[plan]
  const parse = (value: string) => ({ ...defaults, ...planNumbers(value) })
  return setting(`ATRIUM_PLAN_${plan.toUpperCase()}`, parse, defaults, help)
}

export const settingDefinitions = {
  host: setting('ATRIUM_HOST', text, '127.0.0.1', 'Address to listen on; 0.0.0.0 for all.'),
  port: setting('ATRIUM_PORT', wholeNumber(0, 65_535), 8787, 'Port to listen on; 0 picks a free one.'),
  dataDir: setting('ATRIUM_DATA_DIR', text, './data', 'Folder for the database, the files and the secret.'),
  secret: secret(
    'ATRIUM_SECRET',
    optional(textOf(32)),
    null,
    'Master secret, at least 32 characters; generated into the data folder where unset.',
  ),
  publicUrl: setting(
    'ATRIUM_PUBLIC_URL',
    optional(httpUrl),
    null,
    'Address under which people and providers reach this server; http://host:port where unset.',
  ),
  role: setting(
    'ATRIUM_ROLE',
    oneOf(['all', 'api', 'worker']),
    'all',
    'What this process does: answer requests, work on jobs, or both.',
  ),
  trustedProxies: setting(
    'ATRIUM_TRUSTED_PROXIES',
    list(address),
    [],
    'Addresses or CIDRs whose X-Forwarded-For counts, separated by commas.',
  ),
  corsOrigins: setting(
    'ATRIUM_CORS_ORIGINS',
    list(origin),
    [],
    'Origins whose pages may call the API, separated by commas; none by default.',
  ),
  redirectOrigins: setting(
    'ATRIUM_REDIRECT_ORIGINS',
    list(origin),
    [],
    'Origins that a connection may return to (redirectUrl), separated by commas.',
  ),
  allowedPrivateNetworks: setting(
    'ATRIUM_ALLOWED_PRIVATE_NETWORKS',
    list(address),
    [],
    'CIDRs that outgoing requests may reach besides the public internet.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    optional(urlOf(['postgres:', 'postgresql:'])),
    null,
    'PostgreSQL (15 or newer) to use instead of the embedded SQLite.',
  ),
  databasePoolSize: setting(
    'ATRIUM_DATABASE_POOL_SIZE',
    wholeNumber(2, 500),
    10,
    'Connections to PostgreSQL that this process may hold.',
  ),
  redisUrl: secret(
    'REDIS_URL',
    optional(urlOf(['redis:', 'rediss:'])),
    null,
    'Redis or Valkey for rate limits that several servers share.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    optional(urlOf(['smtp:', 'smtps:'])),
    null,
    'Mail server for invitations, such as smtp://user:password@mail.example.com:587.',
  ),
  mailFrom: setting('ATRIUM_MAIL_FROM', text, 'Atrium <atrium@localhost>', 'Sender of the mails.'),
  openaiApiKey: secret('OPENAI_API_KEY', optional(text), null, "Key for OpenAI's models."),
  openaiBaseUrl: setting(
    'OPENAI_BASE_URL',
    optional(httpUrl),
    null,
    'An OpenAI-compatible server (Ollama, vLLM …), such as http://127.0.0.1:11434/v1.',
  ),
  anthropicApiKey: secret('ANTHROPIC_API_KEY', optional(text), null, "Key for Anthropic's models."),
  googleApiKey: secret('GOOGLE_API_KEY', optional(text), null, "Key for Google's models."),
  defaultModel: setting(
    'ATRIUM_DEFAULT_MODEL',
    optional(text),
    null,
    'Model of agents that name none; without a provider the built-in extractive one.',
  ),
  githubClientId: setting(
    'ATRIUM_GITHUB_CLIENT_ID',
    optional(text),
    null,
    'OAuth client of the GitHub integration.',
  ),
  githubClientSecret: secret('ATRIUM_GITHUB_CLIENT_SECRET', optional(text), null, 'Its secret.'),
  googleClientId: setting(
    'ATRIUM_GOOGLE_CLIENT_ID',
    optional(text),
    null,
    'OAuth client of the Google Drive integration.',
  ),
  googleClientSecret: secret('ATRIUM_GOOGLE_CLIENT_SECRET', optional(text), null, 'Its secret.'),
  freePlan: planSetting('free', 'Limits of the plan Free, which has no API access.'),
  starterPlan: planSetting('starter', 'Limits of the plan Starter; what is not named keeps its default.'),
  professionalPlan: planSetting('professional', 'Limits of the plan Professional.'),
  enterprisePlan: planSetting(
    'enterprise',
    'Limits of the plan Enterprise; set-plan --rate gives a workspace a number of its own.',
  ),
  anonymousRate: setting(
    'ATRIUM_ANONYMOUS_RATE',
    wholeNumber(1, 10_000_000),
    60,
    'Requests a minute without a valid key, by address.',
  ),
  newWorkspacePlan: setting(
    'ATRIUM_NEW_WORKSPACE_PLAN',
    oneOf(plans),
    'free' as Plan,
    'Plan of workspaces after the first, which is Enterprise.',
  ),
  requestTimeoutMs: setting(
    'ATRIUM_REQUEST_TIMEOUT_SECONDS',
    seconds(5, 86_400),
    900_000,
    'Longest time that a request may take to arrive, in seconds.',
  ),
  jobConcurrency: setting(
    'ATRIUM_JOB_CONCURRENCY',
    wholeNumber(1, 256),
    8,
    'Jobs that this process works on at once.',
  ),
  logLevel: setting(
    'ATRIUM_LOG_LEVEL',
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    'info' as LogLevel,
    'How much is logged.',
  ),
} as const

export type Settings = {
  [Name in keyof typeof settingDefinitions]: ReturnType<(typeof settingDefinitions)[Name]['parse']>
}

/** Thrown with one line for each faulty setting. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Reads every setting from the environment; an empty variable counts as unset. Throws `SettingsError`. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const faults = unknownVariables(environment)
  const values = Object.entries<Setting<unknown>>(settingDefinitions).map(([name, definition]) => {
    const given = environment[definition.variable]
    if (given === undefined || given === '') return [name, definition.default]
    try {
      return [name, definition.parse(given)]
    } catch (error) {
      const shown = definition.secret ? 'the value' : JSON.stringify(given)
      faults.push(`${definition.variable}: ${shown} ${(error as Error).message}`)
      return [name, definition.default]
    }
  })
  if (faults.length > 0) throw new SettingsError(faults)
  return Object.fromEntries(values) as Settings
}

/** What `--help` prints of the settings. */
export const describeSettings = (): string =>
  listSettings()
    .map(({ variable, help, shownDefault }) => {
      const suffix = shownDefault === '' ? '' : ` [${shownDefault}]`
      return `  ${variable.padEnd(34)} ${help}${suffix}`
    })
    .join('\n')

/** Every setting as it is documented; `shownDefault` is as it would be given, empty where there is none. */
export const listSettings = (): { variable: string; help: string; shownDefault: string; secret: boolean }[] =>
  Object.values<Setting<unknown>>(settingDefinitions).map(
    ({ variable, help, default: byDefault, secret: isSecret = false }) => ({
      variable,
      help,
      shownDefault: shownValue(variable, byDefault),
      secret: isSecret,
    }),
  )

/** Times are kept in milliseconds, lists as arrays, the numbers of a plan as an object. */
function shownValue(variable: string, value: unknown): string {
  if (value === null) return ''
  if (variable.endsWith('_SECONDS')) return String(Number(value) / 1000)
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, number]) => `${name}=${number}`)
    .join(' ')
}

/** A misspelt ATRIUM_ variable would otherwise be ignored in silence. */
function unknownVariables(environment: Record<string, string | undefined>): string[] {
  const known = new Set(Object.values(settingDefinitions).map(({ variable }) => variable as string))
  return Object.keys(environment)
    .filter(name => name.startsWith('ATRIUM_') && !known.has(name) && !name.startsWith('ATRIUM_TEST_'))
    .map(name => `${name}: there is no such setting; --help lists them`)
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
