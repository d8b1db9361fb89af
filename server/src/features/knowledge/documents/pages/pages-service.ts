/** Pages of PDFs as pictures, drawn when they are asked for. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { createBoundedMap } from '../../../../platform/caches/caches.ts'
import type { Caller } from '../../../../platform/caller.ts'
import { notFound, ServiceError } from '../../../../platform/errors.ts'
import { createTally } from '../../../../platform/fair-queue.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { ParseFailure, type ParseFailureCode, parseFailures } from '../../parsing/failure.ts'
import type { Parser } from '../../parsing/parser.ts'
import { readsAsPdf } from '../../parsing/sniff.ts'
import type { PageBoxes } from '../../records/schemas.ts'
import type { DocumentService } from '../documents-service.ts'

export const maxSide = 2_000

/** Pictures that are kept in memory: of 100 to 500 KB each as a rule. */
const keptPictures = 64
/** A larger picture is drawn again each time. */
const maxKeptBytes = 1_048_576
/** Requests of one workspace that wait for a picture. More are refused. */
const maxWaiting = 16

/** In code points. A passage is mostly of one page; more than a page holds need not be looked for. */
export const longestPassage = 20_000

type Picture = { png: Buffer; sha256: string }

export type PagesService = ReturnType<typeof createPagesService>

export function createPagesService({
  documents,
  blobs,
  parser,
}: Pick<Platform, 'blobs'> & { documents: DocumentService; parser: Parser }) {
  const kept = createBoundedMap<Picture>(keptPictures)
  const waiting = createTally()

  const isPdf = async (blobId: string): Promise<boolean> =>
    readsAsPdf(await buffer(await blobs.open(blobId, { start: 0, end: 1_023 })))

  /** Lets a child work on the file, a PDF. */
  const work = async <T>(
    caller: Caller,
    blobId: string,
    use: (path: string, owner: string) => Promise<T>,
  ): Promise<T> => {
    const owner = caller.scope.workspaceId
    if (waiting.of(owner) >= maxWaiting) {
      throw new ServiceError('overloaded', undefined, { headers: { 'retry-after': '2' } })
    }
    waiting.add(owner, 1)
    try {
      if (!(await isPdf(blobId))) throw noPages('not_a_pdf', 'Only PDFs have pages that can be drawn.')
      return await use(await blobs.localPath(blobId), owner)
    } catch (error) {
      if (error instanceof ParseFailure) throw noPages(error.code, parseFailures[error.code])
      throw error
    } finally {
      waiting.add(owner, -1)
    }
  }

  const draw = (caller: Caller, blobId: string, { page, longest, signal }: Wanted): Promise<Picture> =>
    work(caller, blobId, async (path, owner) => {
      const { picture } = await parser.draw({ path, page, longest, owner, signal })
      if (picture === null) throw notFound()
      const png = Buffer.from(picture, 'base64')
      return { png, sha256: createHash('sha256').update(png).digest('hex') }
    })

  return {
    /** Where a passage of the text lies on a page. Throws the same errors as `picture` and `content`. */
    async boxes(
      caller: Caller,
      id: string,
      { page, from, to, version, signal }: WantedPassage,
    ): Promise<PageBoxes> {
      const place = { from, to: Math.min(to ?? Number.POSITIVE_INFINITY, from + longestPassage) }
      const range = version === null ? place : { ...place, version }
      const { text, version: read } = await documents.content(caller, id, range)
      const { blobId } = await documents.servedFile(caller, id, read)
      const { boxes } = await work(caller, blobId, (path, owner) =>
        parser.find({ path, page, passage: text, owner, signal }),
      )
      if (boxes === null) throw notFound()
      return { documentId: id, documentVersion: read, page, boxes }
    },

    /**
     * A page as PNG, of the version that search finds unless another is asked for. Throws `no_pages`, `overloaded`,
     * and `not_found` for a page that is not there.
     */
    async picture(caller: Caller, id: string, wanted: Wanted): Promise<Picture> {
      const { blobId } = await documents.servedFile(caller, id, wanted.version)
      const name = `${blobId} ${wanted.page} ${wanted.longest}`
      const known = kept.get(name)
      if (known !== undefined) return known
      const picture = await draw(caller, blobId, wanted)
      return picture.png.length > maxKeptBytes ? picture : kept.set(name, picture)
    },
  }
}

type WantedPassage = Omit<Wanted, 'longest'> & { from: number; to: number | null }

type Wanted = {
  /** From 1. */
  page: number
  /** Of the longer side, in pixels. */
  longest: number
  version: number | null
  signal: AbortSignal
}

const noPages = (reason: ParseFailureCode | 'not_a_pdf', message: string): ServiceError =>
  new ServiceError('no_pages', message, { details: { reason } })
