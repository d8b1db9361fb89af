/** The log: one JSON object a line; secrets are cut out before a line is written. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type Log = {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

/**
 * Texts anywhere in a line that look like a key, a token of an app, a page or a person, or a bearer token. The dot of
 * a token is matched without backtracking: a line of many beginnings would take the square of its length.
 */
const secrets =
  /\b(?:sk|at|rt)_(?:live|test)_[0-9A-Za-z]+|\bbt_[0-9A-Za-z]+|\bct_[\w-]+(?:\.[\w-]+)?|\bBearer\s+[^\s"\\]+/g

/** The text without its secrets, so that an operator may read it. */
export const withoutSecrets = (text: string): string => text.replace(secrets, '[secret]')

export function createLog(options: {
  level: LogLevel
  write?: (line: string) => void
  now?: () => number
}): Log {
  const { level, write = line => process.stderr.write(line), now = Date.now } = options
  const log =
    (at: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      if (order.indexOf(at) < order.indexOf(level)) return
      const line = JSON.stringify({
        time: new Date(now()).toISOString(),
        level: at,
        message,
        ...plain(fields),
      })
      write(`${withoutSecrets(line)}\n`)
    }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** Errors as their message, code, stack and cause, since JSON would show them as `{}`. */
function plain(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? describeError(value) : value,
    ]),
  )
}

function describeError(error: Error, depth = 0): Record<string, unknown> {
  const code = 'code' in error ? { code: error.code } : {}
  const cause =
    error.cause instanceof Error && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
