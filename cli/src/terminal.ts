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
  const styled = (style: 'dim' | 'red', text: string): string =>
    hasColours ? styleText(style, plain(text), { stream: err, validateStream: false }) : plain(text)
  return {
    json,
    /** Whether a person can be shown what changes, such as a bar. */
    isShown,
    /** The text of an answer, as it comes. */
    write: (text: string) => void (json || out.write(plain(text))),
    line(text: string): void {
      clear()
      if (!json) out.write(`${plain(text)}\n`)
    },
    /** For programs: one line. */
    value(value: unknown): void {
      if (json) out.write(`${JSON.stringify(value).replaceAll(commands, escaped)}\n`)
    },
    /** What goes on, for people. */
    note(text: string): void {
      clear()
      if (!json) err.write(`${plain(text)}\n`)
    },
    fault(text: string): void {
      clear()
      err.write(`${styled('red', text)}\n`)
    },
    /** A note that matters less. */
    aside(text: string): void {
      clear()
      if (!json) err.write(`${styled('dim', text)}\n`)
    },
    /** How far the work is, in one line that replaces itself. */
    progress(done: number, total: number, what: string): void {
      if (!isShown) return
      const width = 24
      const filled = total === 0 ? width : Math.floor((done / total) * width)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
      const line = plain(what).replaceAll(/\s+/g, ' ')
      const text = `${bar} ${done}/${total} ${line}`.slice(0, (err.columns ?? 80) - 1)
      clear()
      err.write(text)
      shown = text
    },
    clear,
  }
}

/**
 * Signs that a terminal obeys instead of showing them: control characters, separators of lines, and marks that change the
 * direction of writing. What is printed is a server's, a document's or a model's: it could rename the window, fill the
 * clipboard, write over another line, or show `exe.txt` for `txt.exe`.
 */
const commands = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** Each such sign is shown as its code; lines and columns stay, and a return before the end of a line says nothing. */
const plain = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(commands, sign => (sign === '\n' || sign === '\t' ? sign : escaped(sign)))

/** As JSON and most languages write it. */
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
