/** Reads the text of pictures, and of PDFs that are nothing but pictures, by the program that the operator chose. */

import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderedPage } from '../children/messages.ts'
import { ParseFailure } from '../failure.ts'
import { formats } from '../formats.ts'
import { writePlainText } from '../plain-text.ts'
import { sniffFile } from '../sniff.ts'
import { createTextWriter, type ExtractedText, type TextWriter } from '../text-writer.ts'

export type RecognitionOptions = {
  command: RecognitionCommand
  /** The longest time for one document. */
  timeoutMs: number
}

type RecognitionWork = {
  path: string
  name: string
  signal: AbortSignal
  onProgress: (share: number) => void
  /** The pages of a PDF as pictures, one after the other. */
  render: () => AsyncIterable<RenderedPage>
}

const maxPages = 500

/** Throws `ParseFailure`: `no_text` if there is nothing to recognise. Pictures are kept below `folder` while they are read. */
export async function recognise(
  { command, timeoutMs }: RecognitionOptions,
  folder: string,
  { path, name, signal, onProgress, render }: RecognitionWork,
): Promise<ExtractedText> {
  const { format } = await sniffFile(path, name)
  if (format === null || (format !== 'pdf' && formats[format].isPicture !== true))
    throw new ParseFailure('no_text')
  const deadlineMs = performance.now() + timeoutMs
  const read = (picture: string): Promise<string> =>
    runRecognition(command, picture, { signal, timeoutMs: Math.max(1, deadlineMs - performance.now()) })
  const writer = createTextWriter()
  if (format !== 'pdf') {
    writePlainText(await read(path), writer)
    return finish(writer, null)
  }
  const own = await makeFolder(folder)
  try {
    let pageCount = 0
    for await (const { page, pageCount: pages, picture } of render()) {
      if (pages > maxPages) throw new ParseFailure('too_large', tooManyPages(pages))
      pageCount = pages
      if (picture !== null) {
        const file = join(own, 'page.png')
        await writeFile(file, picture, 'base64')
        writePlainText(await read(file), onPage(writer, page))
      }
      onProgress(page / pages)
    }
    return finish(writer, pageCount)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

async function makeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return mkdtemp(join(folder, 'pages-'))
}

const tooManyPages = (pages: number): string =>
  `The PDF has ${pages} pages without text; text recognition reads ${maxPages} at most.`

const onPage = (writer: TextWriter, page: number): TextWriter => ({
  add: (kind, text, options) => writer.add(kind, text, { ...options, page }),
})

function finish(writer: ReturnType<typeof createTextWriter>, pageCount: number | null): ExtractedText {
  try {
    return writer.finish({ pageCount })
  } catch (error) {
    if (error instanceof ParseFailure && error.code === 'no_text') {
      throw new ParseFailure('no_text', 'Text recognition (OCR) found no text in the file.')
    }
    throw error
  }
}

// The program that the operator chose to read text from pictures, such as tesseract: run once for each picture.

/** Its words; `{file}` stands for the picture. */
type RecognitionCommand = readonly [program: string, ...words: string[]]

const maxOutputBytes = 1_000_000
const maxWordsLength = 1_000

/**
 * Resolves to what the program writes. Throws `ParseFailure` if it refuses the picture, takes longer than
 * `timeoutMs` or writes more than a page can hold, another error if it cannot be run, and the signal's reason.
 */
async function runRecognition(
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
