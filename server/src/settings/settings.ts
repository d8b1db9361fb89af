/** Every setting of the server, and how they are read from the environment. */
import { type Plan, plans } from '../platform/caller.ts'
import { dayMs, hourMs } from '../platform/clock.ts'
import type { LogLevel } from '../platform/log.ts'
import { nearestName } from '../platform/text/nearest-name.ts'
import {
  connectionSettings,
  integrationSettings,
  knowledgeSettings,
  modelSettings,
  planSettings,
  signInSettings,
} from './groups.ts'
import { postgresUrl } from './postgres-url.ts'
import {
  address,
  days,
  type Environment,
  fileVariable,
  hours,
  httpUrl,
  list,
  oneOf,
  optional,
  origin,
  readSetting,
  type Setting,
  seconds,
  secret,
  setting,
  text,
  textOf,
  urlOf,
  wholeNumber,
} from './setting.ts'

export const settingDefinitions = {
  host: setting('ATRIUM_HOST', text, '127.0.0.1', 'Address to listen on; 0.0.0.0 for all.'),
  port: setting('ATRIUM_PORT', wholeNumber(0, 65_535), 8787, 'Port to listen on; 0 picks a free one.'),
  internalPort: setting(
    'ATRIUM_INTERNAL_PORT',
    optional(wholeNumber(0, 65_535)),
    null,
    'Second port, for `/healthz` and `/readyz` only, also of a worker; 0 picks a free one.',
  ),
  dataDir: setting('ATRIUM_DATA_DIR', text, './data', 'Folder for the database, the files and the secret.'),
  secret: secret(
    'ATRIUM_SECRET',
    textOf(32),
    'Master secret, at least 32 characters; generated into the data folder where unset. With DATABASE_URL it must be set, the same for every server.',
  ),
  publicUrl: setting(
    'ATRIUM_PUBLIC_URL',
    optional(httpUrl),
    null,
    'Address under which people and services reach this server; http://host:port where unset.',
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
    'Addresses or CIDRs whose X-Forwarded-For counts, by commas.',
  ),
  corsOrigins: setting(
    'ATRIUM_CORS_ORIGINS',
    list(origin),
    [],
    'Origins whose pages may call the API, by commas.',
  ),
  redirectOrigins: setting(
    'ATRIUM_REDIRECT_ORIGINS',
    list(origin),
    [],
    'Origins that a connection may return to (redirectUrl), by commas.',
  ),
  allowedPrivateNetworks: setting(
    'ATRIUM_ALLOWED_PRIVATE_NETWORKS',
    list(address),
    [],
    'CIDRs that outgoing requests may reach besides the internet, by commas.',
  ),
  databaseUrl: secret('DATABASE_URL', postgresUrl, 'PostgreSQL (15 or newer), instead of SQLite.'),
  databasePoolSize: setting(
    'ATRIUM_DATABASE_POOL_SIZE',
    wholeNumber(2, 500),
    10,
    'Connections of this process to PostgreSQL.',
  ),
  redisUrl: secret(
    'REDIS_URL',
    urlOf(['redis:', 'rediss:']),
    'Redis or Valkey for rate limits that several servers share.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    urlOf(['smtp:', 'smtps:']),
    'Mail server, such as smtp://user:password@mail.example.com:587.',
  ),
  mailFrom: setting('ATRIUM_MAIL_FROM', text, 'Atrium <atrium@localhost>', 'Sender of the mails.'),
  ...modelSettings,
  ...integrationSettings,
  connectorsDir: setting(
    'ATRIUM_CONNECTORS_DIR',
    optional(text),
    null,
    'Folder with connectors of your own.',
  ),
  ...signInSettings,
  ...planSettings,
  ...connectionSettings,
  personRate: setting(
    'ATRIUM_PERSON_RATE',
    wholeNumber(1, 10_000_000),
    600,
    'Requests a minute of a signed-in person to a workspace.',
  ),
  newWorkspacePlan: setting(
    'ATRIUM_NEW_WORKSPACE_PLAN',
    oneOf(plans),
    'free' as Plan,
    'Plan of workspaces after the first, which is Enterprise.',
  ),
  ownedWorkspaces: setting(
    'ATRIUM_OWNED_WORKSPACES',
    wholeNumber(0, 1_000_000),
    10,
    'Workspaces that one person may own; with 0, only the operator creates them.',
  ),
  workspaceGraceMs: setting(
    'ATRIUM_WORKSPACE_GRACE_DAYS',
    days(1, 365),
    30 * dayMs,
    'How long a deleted workspace can be restored.',
  ),
  hstsMs: setting(
    'ATRIUM_HSTS_DAYS',
    days(0, 730),
    365 * dayMs,
    'Strict-Transport-Security, for this host and its subdomains; 0 sends no header.',
  ),
  compression: setting(
    'ATRIUM_COMPRESSION',
    oneOf(['on', 'off']),
    'on' as 'on' | 'off',
    'Whether JSON replies are compressed; `off` leaves it to a proxy.',
  ),
  drainMs: setting(
    'ATRIUM_DRAIN_SECONDS',
    seconds(1, 600),
    20_000,
    'How long requests and jobs in progress may take after SIGTERM.',
  ),
  shutdownDelayMs: setting(
    'ATRIUM_SHUTDOWN_DELAY_SECONDS',
    seconds(0, 300),
    0,
    'How long requests are taken after SIGTERM while `/readyz` answers 503.',
  ),
  approvalMs: setting(
    'ATRIUM_APPROVAL_DAYS',
    days(1, 365),
    7 * dayMs,
    'How long a run waits for an approval before it fails.',
  ),
  toolResultMs: setting(
    'ATRIUM_TOOL_RESULT_HOURS',
    hours(1, 8_760),
    24 * hourMs,
    'How long a run waits for the result of a function before it fails.',
  ),
  runLeaseMs: setting(
    'ATRIUM_RUN_LEASE_SECONDS',
    seconds(5, 300),
    15_000,
    'How long a process may say nothing before another one continues its run.',
  ),
  jobConcurrency: setting(
    'ATRIUM_JOB_CONCURRENCY',
    wholeNumber(1, 256),
    8,
    'Jobs that this process works on at once.',
  ),
  ...knowledgeSettings,
  eventsMs: setting('ATRIUM_EVENT_DAYS', days(1, 3_650), 30 * dayMs, 'How long events are kept.'),
  usageMs: setting('ATRIUM_USAGE_DAYS', days(62, 3_650), 400 * dayMs, 'How long usage by day is kept.'),
  webhookTimeoutMs: setting(
    'ATRIUM_WEBHOOK_TIMEOUT_SECONDS',
    seconds(1, 60),
    15_000,
    'How long a webhook endpoint may take to answer.',
  ),
  deliveriesMs: setting(
    'ATRIUM_WEBHOOK_DELIVERY_DAYS',
    days(5, 3_650),
    30 * dayMs,
    'How long deliveries of webhooks are kept.',
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

/**
 * Reads every setting from the environment, secret ones also from the file that `…_FILE` names; an empty variable counts as
 * unset. Throws `SettingsError`.
 */
export function readSettings(environment: Environment): Settings {
  const faults = unknownVariables(environment)
  const values = Object.entries<Setting<unknown>>(settingDefinitions).map(([name, definition]) => {
    try {
      return [name, readSetting(definition, environment)]
    } catch (error) {
      faults.push((error as Error).message)
      return [name, definition.default]
    }
  })
  const settings = Object.fromEntries(values) as Settings
  if (faults.length === 0 && settings.databaseUrl !== null && settings.secret === null) {
    faults.push(secretIsMissing)
  }
  const { port, internalPort, role } = settings
  if (
    faults.length === 0 &&
    role !== 'worker' &&
    internalPort !== null &&
    internalPort !== 0 &&
    internalPort === port
  ) {
    faults.push(`ATRIUM_INTERNAL_PORT: "${internalPort}" is the port of ATRIUM_PORT, too; choose another`)
  }
  if (faults.length > 0) throw new SettingsError(faults)
  return settings
}

const secretIsMissing =
  'ATRIUM_SECRET: must be set where DATABASE_URL is, to the same value for every server on that database. Where the secret was generated into the data folder, ATRIUM_SECRET_FILE can name its file `secret`'

/** What `--help` prints of the settings. */
export const describeSettings = (): string =>
  listSettings()
    .map(({ variable, help, shownDefault, secret: isSecret }) => {
      const suffix = shownDefault === '' ? '' : ` [${shownDefault}]`
      const file = isSecret ? ` Or ${fileVariable(variable)}.` : ''
      return `  ${variable.padEnd(34)} ${help}${file}${suffix}`
    })
    .join('\n')

/** Every setting as it is documented; `shownDefault` is as it would be given, empty if there is none. */
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
  if (variable.endsWith('_HOURS')) return String(Number(value) / hourMs)
  if (variable.endsWith('_DAYS')) return String(Number(value) / dayMs)
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, number]) => `${name}=${number}`)
    .join(' ')
}

/** A misspelt ATRIUM_ variable would otherwise be ignored in silence. */
function unknownVariables(environment: Environment): string[] {
  const known = new Set(
    Object.values<Setting<unknown>>(settingDefinitions).flatMap(({ variable, secret: isSecret }) =>
      isSecret === true ? [variable, fileVariable(variable)] : [variable],
    ),
  )
  const cores = new Map([...known].map(variable => [coreOf(variable), variable]))
  return Object.keys(environment)
    .filter(name => name.startsWith('ATRIUM_') && !known.has(name) && !name.startsWith('ATRIUM_TEST_'))
    .map(name => {
      const nearest = nearestName(coreOf(name), [...cores.keys()])
      const hint = nearest === null ? '--help lists them' : `did you mean ${cores.get(nearest)}?`
      return `${name}: there is no such setting; ${hint}`
    })
}

/** A name without the part that many names share, so that it is compared by what tells it apart. */
const coreOf = (variable: string): string =>
  variable
    .replace(/^ATRIUM_/, '')
    .replaceAll('_', '')
    .toLowerCase()
