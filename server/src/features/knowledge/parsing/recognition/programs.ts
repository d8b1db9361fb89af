/** Programs that the operator chose: one reads the text of pictures, one converts files that no reader reads. */

import { spawn } from 'node:child_process'
import { copyFile, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { encloseProgram, type ProgramView, type Stages, withinContainer } from '../children/container.ts'
import { ReaderEnded, signalFromOutside } from '../children/death.ts'
import { ParseFailure } from '../failure.ts'
import { formats } from '../formats.ts'
import { sniffFile } from '../sniff.ts'

export type ConverterOptions = {
  /** The program reads `{file}`. It prints text, or leaves one file in `{folder}`. */
  command: Command
  /** The longest time for one document. */
  timeoutMs: number
}

type Conversion = { path: string; name: string; signal: AbortSignal }

/** What is around an operator's program. */
export type ProgramContainer = {
  has: Stages
  /** For a folder of each program's own. */
  folder: string
  /** The program sees its own folder in the place of this one. */
  hides: string
}

/** The limits of the program's result, and of the files that it keeps for itself meanwhile. */
const maxBytes = 256 * 1024 * 1024
const maxFiles = 10_000
const maxOutputBytes = 80_000_000

/**
 * The file that the program made, below `folder` until it is removed. Null if the program is not for this file.
 * Throws `ParseFailure`.
 */
export async function convert(
  { command, timeoutMs }: ConverterOptions,
  container: ProgramContainer,
  { path, name, signal }: Conversion,
) {
  const { format } = await sniffFile(path, name)
  if (format === null || formats[format].conversion === undefined) return null
  const own = await makeFolder(container.folder, 'convert-')
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true, maxRetries: 5 })
  try {
    const [input, output, work] = [join(own, 'in'), join(own, 'out'), join(own, 'work')]
    for (const made of [input, output, work]) await mkdir(made)
    // Programs tell formats by the ending, and iWork has three endings for one format.
    const ending = /^\.(pages|numbers|key)$/i.exec(extname(name))?.[0] ?? `.${format}`
    const file = join(input, `document${ending}`)
    await copyFile(path, file)
    // A document can name addresses, which the program would open.
    const view = { ...container, folder: own, reachesNetwork: false }
    const homeSeen = withinContainer(view, work)
    const printed = await runProgram(command, {
      purpose: 'converting files',
      words: { file: withinContainer(view, file), folder: withinContainer(view, output) },
      container: { ...view, workIn: work },
      environment: { HOME: homeSeen, TMPDIR: homeSeen },
      timeoutMs,
      signal,
      maxOutputBytes,
      watch: async () => ((await isTooMuch(output)) || (await isTooMuch(work)) ? tooMuch() : null),
      refusal: cause => new ParseFailure('conversion_failed', undefined, cause),
    })
    return { ...(await resultOf(output, printed)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const tooMuch = (): ParseFailure =>
  new ParseFailure('conversion_failed', 'The program that converts files made more than a document may be.')

async function isTooMuch(folder: string): Promise<boolean> {
  let bytes = 0
  let files = 0
  for (const entry of await readdir(folder, { recursive: true })) {
    files += 1
    if (files > maxFiles) return true
    // A file that is gone by now does not count.
    bytes += await lstat(join(folder, entry)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes > maxBytes
}

/**
 * The only file in the folder, or else the printed text. A link could lead to a file that the program may not show.
 */
async function resultOf(folder: string, printed: Buffer): Promise<{ path: string; name: string }> {
  const [name, ...others] = await readdir(folder)
  if (name === undefined && printed.length === 0) {
    throw new ParseFailure('conversion_failed', 'The program that converts files made nothing of this one.')
  }
  if (name === undefined) {
    const path = join(folder, 'printed.txt')
    await writeFile(path, printed)
    return { path, name: 'printed.txt' }
  }
  const path = join(folder, name)
  const about = await lstat(path)
  if (others.length > 0 || !about.isFile()) {
    throw new ParseFailure('conversion_failed', 'The program that converts files made more than one file.')
  }
  if (about.size > maxBytes) throw tooMuch()
  return { path, name }
}

// Reads the text of pictures with the program that the operator chose.

export type ProgramOptions = {
  command: Command
  /** The longest time for one document. */
  timeoutMs: number
}

/** Pages are read one by one, so one thread is enough. The text of a page is short. */
const program = {
  purpose: 'text recognition',
  environment: { OMP_THREAD_LIMIT: '1' },
  maxOutputBytes: 1_000_000,
  refusal: (cause: Error) =>
    new ParseFailure('corrupt', 'The picture could not be read by text recognition.', cause),
}

/** The text of a picture, which lies below `folder` meanwhile; null if the program refuses it. Throws `ParseFailure`. */
export async function recognise(
  { command, timeoutMs }: ProgramOptions,
  container: ProgramContainer,
  { picture, signal }: { picture: Buffer; signal: AbortSignal },
): Promise<string | null> {
  const own = await makeFolder(container.folder, 'pages-')
  // The operator's program may ask a service.
  const view = { ...container, folder: own, reachesNetwork: true }
  const file = join(own, 'picture')
  try {
    await writeFile(file, picture)
    const output = await runProgram(command, {
      ...program,
      words: { file: withinContainer(view, file) },
      container: { ...view, workIn: own },
      signal,
      timeoutMs,
    })
    return output.toString('utf8')
  } catch (error) {
    if (error instanceof ParseFailure && error.code === 'corrupt') return null
    throw error
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

async function makeFolder(folder: string, prefix: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return mkdtemp(join(folder, prefix))
}

// Runs the operator's program for one file of a stranger: without a shell, without secrets, and with a time limit.

/** The program and its words. A word in braces, such as `{file}`, is replaced. */
type Command = readonly [program: string, ...words: string[]]

type ProgramRun = {
  /** The program's purpose, for error messages. */
  purpose: string
  /** The replacements for `{file}` and other words in braces. */
  words: Readonly<Record<string, string>>
  container: ProgramView
  /** Variables in addition to PATH and LANG. */
  environment?: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
  maxOutputBytes: number
  /** Called again and again while the program runs; an error that it returns ends the program. */
  watch?: () => Promise<Error | null>
  /** The failure of a file for which the program ended with another code than 0. */
  refusal: (cause: Error) => ParseFailure
}

/** What shells and a container end with if the program cannot be run. */
const notRun: readonly number[] = [126, 127]

const watchEveryMs = 250
const maxLastWords = 1_000

/**
 * Resolves to what the program prints. Throws `ParseFailure` if the program refuses the file, takes longer than
 * `timeoutMs` or prints too much, `ReaderEnded` if a signal from outside ends it, another error if it cannot be run,
 * and the signal's reason.
 */
async function runProgram([name, ...rest]: Command, run: ProgramRun): Promise<Buffer> {
  const { purpose, words, container, timeoutMs, signal, maxOutputBytes, watch, refusal } = run
  signal.throwIfAborted()
  const filled = rest.map(word => word.replace(/\{(\w+)\}/g, (all, key: string) => words[key] ?? all))
  const [first = name, ...others] = encloseProgram(container, [name, ...filled])
  const child = spawn(first, others, {
    // No shell, so that no name is a command. A separate group, so that it ends with all that it started.
    detached: true,
    // A program in a container begins in its own folder, which has another place there.
    cwd: container.has.has('files') ? '/' : container.workIn,
    // The environment holds none of the server's secrets. A program outside of PATH is named by its whole path.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...run.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  const cannotRun = (cause: Error): Error =>
    new Error(`The program for ${purpose} cannot be run: ${name}`, { cause })
  child.on('error', cause => reject(cannotRun(cause)))
  // Processes that the program left behind would keep its output open.
  child.on('exit', () => child.pid !== undefined && killGroup(child.pid))
  child.on('close', (code, killedBy) => {
    const outer = signalFromOutside(code, killedBy)
    if (code === 0) resolve(Buffer.concat(output))
    else if (outer !== null) reject(new ReaderEnded(outer))
    else {
      const cause = new Error(`${name} ended with ${killedBy ?? code}: ${lastWords}`)
      reject(code !== null && notRun.includes(code) ? cannotRun(cause) : refusal(cause))
    }
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
    // The group has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
