/** What the command prints: answers to standard output, everything else to standard error, JSON where it is asked for. */
import { styleText } from 'node:util'

export type Terminal = ReturnType<typeof createTerminal>

/** A stream with what Node tells of a terminal. */
export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

export function createTerminal({
  out,
  err,
  json,
  env,
}: {
  out: Output
  err: Output
  /** Whether a program reads: one JSON value on each line, and nothing for people. */
  json: boolean
  env: NodeJS.ProcessEnv
}) {
  const hasColours = err.isTTY === true && !env.NO_COLOR
  const isShown = err.isTTY === true && !json
  let shown = ''
  const clear = (): void => {
    if (shown !== '') err.write('\r\u001b[K')
    shown = ''
  }
  return {
    json,
    /** Whether a person can be shown what changes, such as a bar. */
    isShown,
    /** The text of an answer, as it comes. */
    write: (text: string) => void (json || out.write(text)),
    line(text: string): void {
      clear()
      if (!json) out.write(`${text}\n`)
    },
    /** For programs: one line. */
    value(value: unknown): void {
      if (json) out.write(`${JSON.stringify(value)}\n`)
    },
    /** What goes on, for people. */
    note(text: string): void {
      clear()
      if (!json) err.write(`${text}\n`)
    },
    fault(text: string): void {
      clear()
      err.write(`${hasColours ? styleText('red', text, { stream: err, validateStream: false }) : text}\n`)
    },
    dim: (text: string): string =>
      hasColours ? styleText('dim', text, { stream: err, validateStream: false }) : text,
    /** How far the work is, in one line that replaces itself. */
    progress(done: number, total: number, what: string): void {
      if (!isShown) return
      const width = 24
      const filled = total === 0 ? width : Math.floor((done / total) * width)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
      const text = `${bar} ${done}/${total} ${what}`.slice(0, (err.columns ?? 80) - 1)
      clear()
      err.write(text)
      shown = text
    },
    clear,
  }
}
