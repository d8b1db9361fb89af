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
    write: (text: string) => void (json || out.write(plain(text))),
    line(text: string): void {
      clear()
      if (!json) out.write(`${plain(text)}\n`)
    },
    /** For programs: one line. */
    value(value: unknown): void {
      if (json) out.write(`${JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, escaped)}\n`)
    },
    /** What goes on, for people. */
    note(text: string): void {
      clear()
      if (!json) err.write(`${plain(text)}\n`)
    },
    fault(text: string): void {
      clear()
      const shownText = plain(text)
      err.write(
        `${hasColours ? styleText('red', shownText, { stream: err, validateStream: false }) : shownText}\n`,
      )
    },
    dim: (text: string): string =>
      hasColours ? styleText('dim', text, { stream: err, validateStream: false }) : text,
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
 * Without the signs that a terminal obeys instead of showing them. What is printed is a server's, a document's or a model's:
 * it could rename the window, fill the clipboard, or write over what stands there. Only `dim` is left as it is.
 */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this one is meant.
  text.replaceAll(/(\u001b\[22?m)|(?![\n\t])\p{Cc}/gu, (_sign, dim: string | undefined) => dim ?? '')

/** JSON itself escapes only what comes before the space. */
const escaped = (sign: string): string => `\\u00${sign.charCodeAt(0).toString(16)}`
