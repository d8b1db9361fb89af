/** Reads the text of pictures, and of PDFs that are nothing but pictures, by the program that the operator chose. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderedPage } from '../children/messages.ts'
import { type Command, runProgram } from '../children/program.ts'
import { ParseFailure } from '../failure.ts'
import { formats } from '../formats.ts'
import { writePlainText } from '../plain-text.ts'
import { sniffFile } from '../sniff.ts'
import { createTextWriter, type ExtractedText, type TextWriter } from '../text-writer.ts'

export type RecognitionOptions = {
  command: Command
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

/** Pages are read one by one, so by one thread. The text of a page is short. */
const program = {
  purpose: 'text recognition',
  environment: { OMP_THREAD_LIMIT: '1' },
  maxOutputBytes: 1_000_000,
  refusal: (cause: Error) =>
    new ParseFailure('corrupt', 'The picture could not be read by text recognition.', cause),
}

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
  const read = async (picture: string): Promise<string> => {
    const timeoutMs = Math.max(1, deadlineMs - performance.now())
    const output = await runProgram(command, { ...program, words: { file: picture }, signal, timeoutMs })
    return output.toString('utf8')
  }
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
