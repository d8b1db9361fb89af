/** The program that the operator chose to read text from pictures, such as tesseract: run once for each picture. */
import { spawn } from 'node:child_process'
import { ParseFailure } from '../failure.ts'

/** Its words; `{file}` stands for the picture. */
export type RecognitionCommand = readonly [program: string, ...words: string[]]

const maxOutputBytes = 1_000_000
const maxWordsLength = 1_000

/**
 * Resolves to what the program writes. Throws `ParseFailure` where it refuses the picture, takes longer than
 * `timeoutMs` or writes more than a page can hold, another error where it cannot be run, and the signal's reason.
 */
export async function runRecognition(
  [program, ...words]: RecognitionCommand,
  file: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<string> {
  signal.throwIfAborted()
  const child = spawn(
    program,
    words.map(word => word.replaceAll('{file}', file)),
    {
      // Without a shell, so that no name is a command; in a group of its own, so that it ends with all that it started.
      detached: true,
      env: surroundings,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const end = (reason: Error): void => {
    reject(reason)
    if (child.pid !== undefined) killGroup(child.pid)
  }
  const abort = (): void => end(signal.reason)
  const timer = setTimeout(() => end(new ParseFailure('parsing_timeout')), timeoutMs)
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
    lastWords = (lastWords + piece.toString()).slice(-maxWordsLength)
  })
  child.on('error', cause =>
    reject(new Error(`The program for text recognition cannot be run: ${program}`, { cause })),
  )
  child.on('close', (code, killedBy) => {
    if (code === 0) resolve(Buffer.concat(output).toString('utf8'))
    else reject(refusal(`${program} ended with ${killedBy ?? code}: ${lastWords}`))
  })
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  })
}

const refusal = (words: string): ParseFailure =>
  new ParseFailure('corrupt', 'The picture could not be read by text recognition.', new Error(words))

/** None of the server's secrets. What lies elsewhere is named by its whole path. Pages are read one by one, so by one thread. */
const surroundings = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', OMP_THREAD_LIMIT: '1' }

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
