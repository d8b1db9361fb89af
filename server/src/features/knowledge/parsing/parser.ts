/** Turns files into text and chunks: in children, which may crash, hang or swell, and small texts in this process. */
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Environment } from '../../../platform/caller.ts'
import { createFairQueue } from '../../../platform/fair-queue.ts'
import {
  converse,
  type ParsedDocument,
  type Recognition,
  type RenderedPage,
} from './children/child-process.ts'
import type { Stages } from './children/container.ts'
import { ReaderCrashed } from './children/death.ts'
import { type ContainerOptions, findContainer } from './children/find-container.ts'
import { createPool, type Pool, type Renewal } from './children/pool.ts'
import { type Chunk, chunksOf, codePointLength } from './chunking.ts'
import { ParseFailure, type ParseFailureCode } from './failure.ts'
import { formats } from './formats.ts'
import { parseSmallText } from './parse-file.ts'
import type { PlacedPassage } from './pdf/boxes.ts'
import {
  type ConverterOptions,
  convert,
  type ProgramContainer,
  type ProgramOptions,
  recognise,
} from './recognition/programs.ts'
import { readSmallFile, sniffFile } from './sniff.ts'
import type { ExtractedText } from './text-writer.ts'

export type ParseWork<Result> = {
  path: string
  /** The file's name: decides between kinds of text, and in the sandbox `sim-parse-failed.*` is not read. */
  name: string
  environment: Environment
  /** The workspace: workspaces take turns where all children are busy. */
  owner: string
  /** Ends the work, killing the child. */
  signal: AbortSignal
  /** Called with the share of reading that is done, from 0 to 1. */
  onProgress: (share: number) => void
  /** False: a file whose pictures are to be read throws `HasPictures`, without reading them. */
  mayRecognise?: boolean
  /** Uses the document. The child is kept until `use` ends. */
  use: (document: ParsedDocument) => Promise<Result>
}

/** The file is a picture, or has pages that are: its text is recognised in a queue of its own. */
export class HasPictures extends Error {}

export type DrawWork = Pick<ParseWork<never>, 'path' | 'owner' | 'signal'> & {
  /** From 1. */
  page: number
  /** The length of the page's longer side, in pixels. */
  longest: number
}

export type FindWork = Omit<DrawWork, 'longest'> & { passage: string }

export type Parser = {
  /** Throws `ParseFailure` if the file is at fault, and the errors that `use` throws. */
  parse<Result>(work: ParseWork<Result>): Promise<Result>
  /** Draws one page of a PDF. Throws `ParseFailure` if the file is at fault. */
  draw(work: DrawWork): Promise<RenderedPage>
  /** Finds a passage on a page of a PDF. Throws `ParseFailure` if the file is at fault. */
  find(work: FindWork): Promise<PlacedPassage>
  close(): void
}

/** By the operator's program, or else by Tesseract in a child. */
export type RecognitionOptions = ProgramOptions | { languages: readonly string[]; timeoutMs: number }

export type ParserOptions = {
  /** For the children's temporary files; created with the first child. No other process may write there. */
  folder: string
  /** Children at work for one workspace at once; one more child is for other workspaces. */
  maxChildren?: number
  /** The longest time that a child may work on a file: reading it, and cutting it into chunks. */
  timeoutMs?: number
  /** Processor time for a file of a few bytes; each MiB adds as much again. */
  processorMs?: number
  /** A child that is idle for this long is ended. */
  idleTimeoutMs?: number
  /** How text in pictures is read; null if pictures are not read. */
  recognition?: RecognitionOptions | null
  /** How files that no reader reads are converted; null if they are not. */
  converter?: ConverterOptions | null
  /** What is around the children; all that the machine offers if absent. */
  container?: ContainerOptions
  /** The operator's programs do not see it; `folder` if absent. */
  dataDir?: string
}

/** The longest time, and the most processor time, for one page. */
const drawingMs = 10_000

const simulatedName = /^sim-parse-failed\./

export function createParser(options: ParserOptions): Parser {
  const {
    maxChildren = 2,
    timeoutMs = 60_000,
    processorMs = 5_000,
    idleTimeoutMs = 30_000,
    recognition = null,
    converter = null,
    container = { mode: 'auto', log: null },
  } = options
  const folder = resolve(options.folder)
  const findStages = async (): Promise<Stages> => (await findContainer(folder, container)).has
  const programContainer = async (): Promise<ProgramContainer> => ({
    has: await findStages(),
    folder,
    hides: options.dataDir ?? folder,
  })
  // A workspace with slow files keeps only its own children busy: other workspaces do not wait for them.
  const pool = createPool(folder, findStages, { maxChildren, spare: 1, idleTimeoutMs })
  // Recognition takes minutes: one document of a workspace at a time, in children that no other work waits for.
  const recognising = createPool(folder, findStages, { maxChildren: 1, spare: 1, idleTimeoutMs })

  // A person waits for a page: neither uploads nor recognition keep it waiting.
  const drawing = createPool(folder, findStages, { maxChildren: 1, spare: 1, idleTimeoutMs })

  // Conversion takes seconds and much memory: one file of a workspace at a time, two files in all.
  const conversions = createFairQueue(2, 1)

  const parseInChild = createChildReader(pool, { timeoutMs, processorMs })

  const read = async <Result>(work: ParseWork<Result>): Promise<Result> => {
    const small = await parseSmall(work.path, work.name)
    if (small !== null) return work.use(small)
    try {
      return await parseInChild(work, recognition === null)
    } catch (error) {
      const mayBePicture = isFailure(error, 'no_text') && (await holdsPictures(work))
      if (recognition === null || !(error instanceof HasPictures || mayBePicture)) throw error
      if (work.mayRecognise === false) throw new HasPictures()
      const outcome = await readWithPictures(recognising, work, recognition, await programContainer())
      if (!(outcome instanceof ParseFailure)) return outcome.result
      if (!(error instanceof HasPictures)) throw outcome
      // The text of the other pages is not lost with that of the pictures.
      return parseInChild(work, true)
    }
  }

  /** Null if the file is not for the program. */
  const readConverted = async <Result>(
    work: ParseWork<Result>,
    how: ConverterOptions,
  ): Promise<{ result: Result } | null> => {
    const programs = await programContainer()
    const made = await conversions.run(work.owner, () => convert(how, programs, work), work.signal)
    if (made === null) return null
    try {
      return { result: await read({ ...work, path: made.path, name: made.name }) }
    } catch (error) {
      if (!isFailure(error, 'unsupported_type')) throw error
      throw new ParseFailure(
        'conversion_failed',
        'The program that converts files made one that is not read.',
      )
    } finally {
      await made.remove()
    }
  }

  return {
    parse: async work => {
      work.signal.throwIfAborted()
      if (work.environment === 'test' && simulatedName.test(work.name)) throw new ParseFailure('simulated')
      try {
        return await read(work)
      } catch (error) {
        if (converter === null || !isFailure(error, 'unsupported_type')) throw error
        const converted = await readConverted(work, converter)
        if (converted === null) throw error
        return converted.result
      }
    },
    draw: work => inChild(drawing, work, drawingMs, conversation => conversation.draw(work)),
    find: work => inChild(drawing, work, drawingMs, conversation => conversation.find(work)),
    close: () => {
      pool.close()
      drawing.close()
      recognising.close()
    },
  }
}

/**
 * Returns the function that reads a file in a child. If an inner file ends the child, the file is read without it.
 */
function createChildReader(
  pool: Pool,
  { timeoutMs, processorMs }: { timeoutMs: number; processorMs: number },
) {
  const read = <Result>(
    work: ParseWork<Result>,
    isFinal: boolean,
    maxInnerFiles = allInnerFiles,
  ): Promise<Result> => {
    let innerFiles = 0
    const onInnerFile = (count: number): void => {
      innerFiles = count
    }
    const question = {
      ...questionOf(work),
      processorMs,
      isFinal,
      maxInnerFiles,
      onInnerFile,
      recognition: null,
    }
    const parsed = inChild(pool, work, timeoutMs, async (conversation, renew) => {
      const document = await conversation.read(question).catch(error => {
        // Memory that earlier files left in the child is not this file's fault. Nor is a crash that does not repeat.
        const fresh =
          error instanceof ReaderCrashed
            ? renew('always')
            : isFailure(error, 'out_of_memory')
              ? renew('if used before')
              : null
        if (fresh === null) throw error
        return fresh.read(question).catch(again => {
          if (again instanceof ReaderCrashed) again.isRepeated = true
          throw again
        })
      })
      innerFiles = 0
      if (document.unreadPages > 0 && !isFinal) throw new HasPictures()
      return work.use(document)
    })
    return parsed.catch(error => {
      // If an inner file ends the child, the file is read up to that inner file, and at last without any.
      const isTheirs = innerFiles > 0 && deadly.some(code => isFailure(error, code))
      if (!isTheirs || work.signal.aborted) throw error
      return read(work, isFinal, maxInnerFiles === allInnerFiles ? innerFiles - 1 : 0)
    })
  }
  return read
}

/** A failure is that of a file whose text is not used yet. */
async function readWithPictures<Result>(
  pool: Pool,
  work: ParseWork<Result>,
  how: RecognitionOptions,
  container: ProgramContainer,
): Promise<{ result: Result } | ParseFailure> {
  let isUsed = false
  try {
    const result = await inChild(pool, work, how.timeoutMs, async conversation => {
      const document = await conversation.read(pictureQuestion(work, how, container))
      isUsed = true
      return work.use(document)
    })
    return { result }
  } catch (error) {
    if (isFailure(error, 'no_text'))
      return new ParseFailure('no_text', 'Text recognition (OCR) found no text in the file.')
    if (error instanceof ParseFailure && !isUsed) return error
    throw error
  }
}

function pictureQuestion(
  work: Pick<ParseWork<never>, 'path' | 'name' | 'onProgress' | 'signal'>,
  how: RecognitionOptions,
  container: ProgramContainer,
) {
  const { timeoutMs } = how
  const endMs = performance.now() + timeoutMs
  const recognition: Recognition = { languages: 'command' in how ? null : how.languages, timeoutMs }
  return {
    ...questionOf(work),
    processorMs: timeoutMs,
    isFinal: true,
    maxInnerFiles: allInnerFiles,
    onInnerFile: () => undefined,
    recognition,
    recognise: async (picture: Buffer): Promise<string | null> => {
      if (!('command' in how)) return null
      const leftMs = Math.max(1, endMs - performance.now())
      return recognise({ command: how.command, timeoutMs: leftMs }, container, {
        picture,
        signal: work.signal,
      })
    },
  }
}

const questionOf = ({ path, name, onProgress }: Pick<ParseWork<never>, 'path' | 'name' | 'onProgress'>) => ({
  path,
  name,
  onProgress,
})

async function holdsPictures({ path, name }: Pick<ParseWork<never>, 'path' | 'name'>): Promise<boolean> {
  const { format } = await sniffFile(path, name)
  return format !== null && (format === 'pdf' || formats[format].isPicture === true)
}

/** A number, since it is sent to the child; the reader has its own limit. */
const allInnerFiles = Number.MAX_SAFE_INTEGER

const deadly = ['parsing_timeout', 'too_complex', 'out_of_memory', 'parser_crashed'] as const

const isFailure = (error: unknown, code: ParseFailureCode): boolean =>
  error instanceof ParseFailure && error.code === code

/**
 * Keeps a child while `talk` is in progress; the work's signal kills the child. `renew` continues with a new child; it
 * returns null if that may not be, or the signal has aborted.
 */
const inChild = <Result>(
  pool: Pool,
  { owner, signal }: Pick<ParseWork<never>, 'owner' | 'signal'>,
  timeoutMs: number,
  talk: (conversation: Conversation, renew: (when: Renewal) => Conversation | null) => Promise<Result>,
): Promise<Result> =>
  pool.use(owner, signal, async place => {
    const abort = (): void => place.child().kill(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    let conversation = converse(place.child(), timeoutMs)
    const renew = (when: Renewal): Conversation | null => {
      if (signal.aborted || !place.renew(when)) return null
      conversation = converse(place.child(), timeoutMs)
      return conversation
    }
    try {
      return await talk(conversation, renew)
    } finally {
      signal.removeEventListener('abort', abort)
      if (conversation.isOver()) place.keep()
    }
  })

type Conversation = ReturnType<typeof converse>

async function parseSmall(path: string, name: string): Promise<ParsedDocument | null> {
  const bytes = readSmallFile(path)
  if (bytes === null || bytes.length === 0) return null
  const document = await parseSmallText(bytes, name)
  return document === null ? null : inProcess(document)
}

function inProcess(document: ExtractedText): ParsedDocument {
  const { title, pageCount, warnings, unreadPages, text } = document
  return {
    title,
    pageCount,
    warnings,
    unreadPages,
    textLength: codePointLength(text),
    chunks: batchesOf(chunksOf(document)),
  }
}

const chunksAtOnce = 64

/** The chunks in batches, with a pause for other requests between them. */
async function* batchesOf(chunks: Iterable<Chunk>): AsyncGenerator<Chunk[]> {
  let batch: Chunk[] = []
  for (const chunk of chunks) {
    batch.push(chunk)
    if (batch.length < chunksAtOnce) continue
    yield batch
    batch = []
    await setImmediate()
  }
  if (batch.length > 0) yield batch
}
