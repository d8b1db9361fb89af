/** What is said between the server and one child about one file, and how long the child may think about it. */
import { inspect } from 'node:util'
import type { Chunk } from '../chunking.ts'
import { ParseFailure } from '../failure.ts'
import type { ParsingChild } from './child-process.ts'
import type { FromChild, RenderedPage, ToChild, ToParse } from './messages.ts'

export type ParsedDocument = {
  title: string | null
  pageCount: number | null
  /** In Unicode code points. */
  textLength: number
  /** Its chunks in their order, some at a time: they stay in the child until they are asked for. */
  chunks: AsyncIterable<Chunk[]>
}

type Question = Omit<ToParse, 'type'> & {
  onProgress: (share: number) => void
  onInnerFile: (count: number) => void
}

/** A child that holds more than this when it is done is not used again. */
const maxRestingBytes = 150 * 1024 * 1024

/** Asks a child about one file. The conversation is over, and the child free, before anything is asked and once its end or a failure has arrived. */
export function converse(child: ParsingChild, timeoutMs: number) {
  let isOver = true
  let leftMs = timeoutMs

  const ask = (question: ToChild): void => {
    isOver = false
    child.send(question)
  }

  /** Only the time in which the child is waited for is its own. */
  const receive = async (): Promise<FromChild> => {
    const askedAtMs = performance.now()
    const timer = setTimeout(() => child.kill(new ParseFailure('parsing_timeout')), Math.max(0, leftMs))
    const message = await child.receive().finally(() => clearTimeout(timer))
    leftMs -= performance.now() - askedAtMs
    isOver =
      message.type === 'failed' ||
      message.type === 'broken' ||
      (message.type === 'end' && message.residentBytes <= maxRestingBytes)
    if (message.type === 'broken') throw new Error(`The file could not be read here: ${message.detail}`)
    if (message.type === 'failed') throw new ParseFailure(message.code, message.message, message.detail)
    return message
  }

  async function* chunks(): AsyncGenerator<Chunk[]> {
    for (;;) {
      ask({ type: 'next' })
      const message = await receive()
      if (message.type === 'end') return
      if (message.type !== 'chunks') throw unexpected(message)
      yield message.chunks
    }
  }

  async function* pages(path: string): AsyncGenerator<RenderedPage> {
    ask({ type: 'render', path: child.lend(path) })
    for (;;) {
      const message = await receive()
      if (message.type === 'end') return
      if (message.type !== 'page') throw unexpected(message)
      yield message
      ask({ type: 'next' })
    }
  }

  return {
    read: async ({ path, onProgress, onInnerFile, ...question }: Question): Promise<ParsedDocument> => {
      const { name, processorMs, maxInnerFiles } = question
      ask({ type: 'parse', path: child.lend(path), name, processorMs, maxInnerFiles })
      for (;;) {
        const message = await receive()
        if (message.type === 'progress') onProgress(message.share)
        else if (message.type === 'inner-file') onInnerFile(message.count)
        else if (message.type === 'parsed') return { ...message, chunks: chunks() }
        else throw unexpected(message)
      }
    },
    pages,
    isOver: () => isOver,
  }
}

const unexpected = (message: FromChild): Error => new Error(`The parsing process said ${inspect(message)}`)
