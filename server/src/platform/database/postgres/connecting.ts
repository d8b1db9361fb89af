/** The first connection to PostgreSQL: waits for a server that is still coming, and says in one line why none answers. */
import pg from 'pg'
import { connectionConfig } from './postgres.ts'

const connectTimeoutMs = 10_000
const pauseMs = 500
const oldestVersion = 15

/** `mayPass`: the server may still be starting. Otherwise waiting would not help. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault'
  readonly mayPass: boolean

  constructor(message: string, mayPass: boolean, cause: unknown) {
    super(message, { cause })
    this.mayPass = mayPass
  }
}

/**
 * Resolves once PostgreSQL takes connections. Tries again for `patienceMs` while waiting may help, and calls `onWait`
 * about every `tellEveryMs`. Throws `PostgresFault`, or the signal's reason once it is aborted.
 */
export async function waitForPostgres(
  url: string,
  options: {
    patienceMs: number
    tellEveryMs: number
    signal: AbortSignal
    sleep: (ms: number, signal: AbortSignal) => Promise<void>
    onWait: (fault: PostgresFault, leftMs: number) => void
  },
): Promise<void> {
  const { patienceMs, tellEveryMs, signal, sleep, onWait } = options
  const beganMs = performance.now()
  let tellAtMs = 0
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  for (;;) {
    signal.throwIfAborted()
    try {
      // An attempt at a host that does not answer takes seconds, and a signal must not wait for it.
      const client = await Promise.race([connectPostgres(url, 'atrium-start'), aborted])
      return await client.end()
    } catch (error) {
      const waitedMs = performance.now() - beganMs
      if (!(error instanceof PostgresFault) || !error.mayPass || waitedMs >= patienceMs) throw error
      if (waitedMs >= tellAtMs) {
        onWait(error, patienceMs - waitedMs)
        tellAtMs = waitedMs + tellEveryMs
      }
    }
    await sleep(pauseMs, signal)
  }
}

/** A connection of its own, which the caller ends. Throws `PostgresFault`, also for a server that is too old. */
export async function connectPostgres(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionConfig(url, applicationName),
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // An error of the idle connection shows at its next query.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await requireVersion(client)
    return client
  } catch (error) {
    // Not awaited: a server that speaks another protocol may never close the connection.
    void client.end().catch(() => undefined)
    throw faultOf(error, client)
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num')
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (version >= oldestVersion) return
  throw new PostgresFault(
    `${placeOf(client)} has version ${version}, and Atrium needs ${oldestVersion} or newer: upgrade it, or name another one in DATABASE_URL`,
    false,
    null,
  )
}

/** Without the password. */
export const placeOf = ({ host, port, database }: pg.Client): string =>
  `PostgreSQL at ${host.startsWith('/') ? host : `${host}:${port}`} (database ${database ?? 'of the user'})`

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'breaks connections off',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'does not answer',
  ENOENT: 'has no socket there',
  ENOTFOUND: 'has a host name that is not known',
  EAI_AGAIN: 'has a host name that cannot be looked up at the moment',
  '57P01': 'is shutting down',
  '57P02': 'is restarting after a crash',
  '57P03': 'is starting up',
  '53300': 'has no free connection',
}

const check = 'start it, or check DATABASE_URL'

/** One line for an error of connecting, or of the first statements. Any other error stays as it is. */
export function faultOf(error: unknown, client: pg.Client): unknown {
  if (error instanceof PostgresFault || !(error instanceof Error)) return error
  // Node tries each address of a name, and has one error for all.
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const { code = '' } = first as NodeJS.ErrnoException
  const place = placeOf(client)
  const passing = refusals[code]
  if (passing !== undefined) return new PostgresFault(`${place} ${passing}: ${check}`, true, error)
  if (/^timeout expired|connection timeout/.test(first.message))
    return new PostgresFault(`${place} does not answer: ${check}`, true, error)
  // So does a proxy, such as Docker's, whose PostgreSQL does not listen yet.
  if (/^Connection terminated/.test(first.message))
    return new PostgresFault(`${place} breaks connections off: ${check}`, true, error)
  const final = finalFault(code, first.message, client)
  return final === null ? error : new PostgresFault(`${place} ${final}`, false, error)
}

function finalFault(code: string, message: string, { user, database }: pg.Client): string | null {
  const said = message.replaceAll(/\s+/g, ' ')
  if (code === '28P01' || /client password must be a string/.test(message))
    return `refuses the password of ${user}: correct it in DATABASE_URL`
  if (code === '28000') return `does not let ${user} in (${said}): check DATABASE_URL, and pg_hba.conf there`
  if (code === '3D000')
    return `has no such database: create it (CREATE DATABASE "${database}"), or check DATABASE_URL`
  if (code === '42501') return `does not allow ${user} to make tables (${said}): give that user the database`
  if (code === '25006') return 'is read-only, as a standby is: name the primary server in DATABASE_URL'
  if (/does not support SSL/.test(message))
    return 'does not speak TLS: leave sslmode out of DATABASE_URL, or turn TLS on there'
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `has a certificate that cannot be checked (${code}): name its authority with sslrootcert in DATABASE_URL`
  if (/invalid response|Received unexpected/i.test(message))
    return 'does not speak as PostgreSQL does: check host and port in DATABASE_URL'
  return code.startsWith('08') || code.startsWith('53')
    ? `cannot be used (${said}): check it and DATABASE_URL`
    : null
}
