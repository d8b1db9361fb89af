/** Runs a program that the operator chose, for one file of a stranger: without a shell, without secrets, and not for ever. */
import { spawn } from 'node:child_process'
import { ParseFailure } from '../failure.ts'

/** Its words; those in braces stand for something else, as `{file}`. */
export type Command = readonly [program: string, ...words: string[]]

export type ProgramRun = {
  /** For the log: what it is there for. */
  purpose: string
  /** What `{file}` and the like stand for. */
  words: Readonly<Record<string, string>>
  /** Where it works; the server's own folder if there is none. */
  folder?: string
  /** Beside where programs are found, and the language. */
  environment?: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
  maxOutputBytes: number
  /** Asked again and again while it runs: what ends it, if anything does. */
  watch?: () => Promise<Error | null>
  /** What is said of a file for which it ended with another code than 0. */
  refusal: (cause: Error) => ParseFailure
}

const watchEveryMs = 250
const maxLastWords = 1_000

/**
 * Resolves to what the program prints. Throws `ParseFailure` if it refuses the file, takes longer than `timeoutMs` or
 * prints too much, another error if it cannot be run, and the signal's reason.
 */
export async function runProgram([name, ...rest]: Command, run: ProgramRun): Promise<Buffer> {
  const { purpose, words, folder, timeoutMs, signal, maxOutputBytes, watch, refusal } = run
  signal.throwIfAborted()
  const child = spawn(
    name,
    rest.map(word => word.replace(/\{(\w+)\}/g, (all, key: string) => words[key] ?? all)),
    {
      // Without a shell, so that no name is a command; in a group of its own, so that it ends with all that it started.
      detached: true,
      cwd: folder,
      // None of the server's secrets. What lies elsewhere is named by its whole path.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...run.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const end = (reason: Error): void => {
    reject(reason)
    if (child.pid !== undefined) killGroup(child.pid)
  }
  const abort = (): void => end(signal.reason)
  const timer = setTimeout(() => end(new ParseFailure('parsing_timeout')), timeoutMs)
  const watching = setInterval(async () => {
    const reason = (await watch?.().catch((error: Error) => error)) ?? null
    if (reason !== null) end(reason)
  }, watchEveryMs)
  signal.addEventListener('abort', abort, { once: true })
  const output: Buffer[] = []
  let outputBytes = 0
  let lastWords = ''
  child.stdout.on('data', (piece: Buffer) => {
    outputBytes += piece.length
    if (outputBytes > maxOutputBytes) end(new ParseFailure('text_too_long'))
    else output.push(piece)
  })
  child.stderr.on('data', (piece: Buffer) => {
    lastWords = (lastWords + piece.toString()).slice(-maxLastWords)
  })
  child.on('error', cause =>
    reject(new Error(`The program for ${purpose} cannot be run: ${name}`, { cause })),
  )
  // What it started, and left behind, would keep its output open.
  child.on('exit', () => child.pid !== undefined && killGroup(child.pid))
  child.on('close', (code, killedBy) => {
    if (code === 0) resolve(Buffer.concat(output))
    else reject(refusal(new Error(`${name} ended with ${killedBy ?? code}: ${lastWords}`)))
  })
  return promise.finally(() => {
    clearTimeout(timer)
    clearInterval(watching)
    signal.removeEventListener('abort', abort)
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
