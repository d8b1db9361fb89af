/** Documents that are attached to a prompt: checked when a run is requested, and read when the run is worked on. */

import type { LanguageModelV3FilePart } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type FieldError, forbidden, ServiceError } from '../../../platform/errors.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import type { Passage } from '../../../platform/tool.ts'
import type { Attachable, AttachmentsService } from '../../knowledge/documents/attachments-service.ts'
import type { PassagesService } from '../../knowledge/documents/versions-service.ts'
import { RunFailure } from '../records/run-errors.ts'
import type { ToolStep } from '../records/steps.ts'
import { tokensOf, tokensPerMessage } from './window.ts'

export type Images = readonly LanguageModelV3FilePart[]

export type Attachments = ReturnType<typeof createAttachments>

export const attachmentsName = 'attachments'

const mostImageBytes = 5 * 1_024 * 1_024
const mostImageBytesTogether = 20 * 1_024 * 1_024
const passagesAtOnce = 50

export function createAttachments(dependencies: {
  documents: AttachmentsService
  passages: PassagesService
  clock: Clock
}) {
  const { documents, passages, clock } = dependencies

  async function find(caller: Caller, ids: readonly string[]): Promise<Attachable[]> {
    const found = await documents.find(caller, ids)
    return ids.map(id => {
      const document = found.get(id)
      if (document === undefined || document.version === null) throw gone(id)
      return document
    })
  }

  /** The beginning of a text: whole passages up to `mostTokens`, or a part of a first passage that is longer. */
  async function beginningOf(caller: Caller, documentId: string, mostTokens: number): Promise<Beginning> {
    const taken: Passage[] = []
    let tokens = 0
    for (let offset = 0; ; ) {
      const request = { documentId, collectionIds: [], from: { offset }, limit: passagesAtOnce }
      const read = await passages.read(caller, request)
      if (read === null) throw gone(documentId)
      const { textLength } = read
      for (const passage of read.passages) {
        const version = taken[0]?.documentVersion ?? passage.documentVersion
        // The document has got another version meanwhile, with other offsets.
        if (passage.documentVersion !== version) return await beginningOf(caller, documentId, mostTokens)
        const more = tokensOf(passage.text) + tokensPerPassage
        if (tokens + more > mostTokens) {
          const part = taken.length === 0 ? cut(passage, mostTokens - tokensPerPassage) : null
          return {
            passages: part === null ? taken : [part],
            tokens: part === null ? tokens : mostTokens,
            textLength,
          }
        }
        taken.push(passage)
        tokens += more
      }
      offset = taken.at(-1)?.endOffset ?? textLength
      if (read.passages.length < passagesAtOnce || offset >= textLength) {
        return { passages: taken, tokens, textLength, isWhole: true }
      }
    }
  }

  return {
    /**
     * Throws `permission_missing`, or one 400 that names each document that cannot be attached, by its field in
     * `fields` or its place in `attachments`.
     */
    async check(
      caller: Caller,
      ids: readonly string[],
      model: () => Promise<ResolvedModel | null>,
      fields?: ReadonlyMap<string, string>,
    ): Promise<void> {
      if (ids.length === 0) return
      if (!caller.permissions.has('knowledge:read')) {
        throw forbidden('permission', 'The key lacks the permission knowledge:read, which attachments need', {
          permission: 'knowledge:read',
        })
      }
      const found = await documents.find(caller, ids)
      const attached = ids.map(id => found.get(id))
      const blind = attached.some(document => document?.kind === 'image') ? blindName(await model()) : null
      let imageBytes = 0
      const errors: FieldError[] = attached.flatMap((document, index) => {
        if (document?.kind === 'image') imageBytes += document.sizeBytes
        const message = faultOf(document, { blind, imageBytes })
        return message === null ? [] : [{ field: fieldOf(ids, index, fields), message }]
      })
      if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
    },

    /** Makes a step with as many passages as fit into `mostTokens`. Throws `RunFailure` if a document is gone. */
    async read(caller: Caller, ids: readonly string[], mostTokens: number): Promise<ToolStep> {
      const startedAt = clock()
      const begun = performance.now()
      const attached = await find(caller, ids)
      const read: (Beginning | null)[] = []
      let left = mostTokens
      let texts = attached.filter(({ kind }) => kind === 'text').length
      for (const { kind, documentId } of attached) {
        // Each document gets an equal share of the tokens that the documents before it have left.
        const beginning =
          kind === 'text' ? await beginningOf(caller, documentId, Math.floor(left / texts--)) : null
        left -= beginning?.tokens ?? 0
        read.push(beginning)
      }
      const notes = read.flatMap((beginning, index) => noteOf(beginning, index))
      return {
        type: 'tool',
        name: attachmentsName,
        startedAt,
        durationMs: Math.round(performance.now() - begun),
        record: withoutUndefined<ToolStep['record']>({
          toolCallId: '',
          input: { documentIds: ids },
          attached: attached.map(({ documentId, kind }, index) => ({
            documentId,
            documentVersion: read[index]?.passages[0]?.documentVersion ?? attached[index]?.version ?? 0,
            kind,
          })),
          passages: read
            .flatMap(beginning => beginning?.passages ?? [])
            .map((passage, index) => ({ number: index + 1, passage })),
          note: notes.length === 0 ? undefined : notes.join(' '),
        }),
      }
    },

    /** The images among the attachments. Throws `RunFailure` if one is gone. */
    async images(caller: Caller, { record }: ToolStep): Promise<Images> {
      const images: LanguageModelV3FilePart[] = []
      for (const { documentId, kind } of record.attached ?? []) {
        if (kind !== 'image') continue
        const image = await documents.image(caller, documentId)
        if (image === null) throw gone(documentId)
        images.push({ type: 'file', mediaType: image.mediaType, data: image.bytes })
      }
      return images
    },
  }
}

const fieldOf = (ids: readonly string[], index: number, fields?: ReadonlyMap<string, string>): string =>
  fields?.get(ids[index] ?? '') ?? `attachments.${index}`

type Beginning = { passages: Passage[]; tokens: number; textLength: number; isWhole?: true }

/** The tokens of a passage beside its words: its marker and title. */
const tokensPerPassage = 8 * tokensPerMessage

/** Cuts at whole words; returns null if not even one fits. */
function cut(passage: Passage, mostTokens: number): Passage | null {
  let text = ''
  let length = 0
  let tokens = 0
  for (const word of passage.text.match(/\s*\S+|\s+$/gu) ?? []) {
    tokens += tokensOf(word)
    if (tokens > mostTokens) break
    text += word
    length += [...word].length
  }
  return length === 0 ? null : { ...passage, text, endOffset: passage.startOffset + length }
}

function noteOf(beginning: Beginning | null, index: number): string[] {
  if (beginning === null || beginning.isWhole) return []
  const shown = beginning.passages.at(-1)?.endOffset ?? 0
  return [
    `Of attachment ${index + 1}, only the first ${shown} of ${beginning.textLength} characters are shown: the rest did not fit.`,
  ]
}

const blindName = (model: ResolvedModel | null): string | null =>
  model?.seesImages === false ? model.name : null

function faultOf(
  document: Attachable | undefined,
  { blind, imageBytes }: { blind: string | null; imageBytes: number },
): string | null {
  if (document === undefined) return 'There is no document with this id'
  if (document.kind === 'text') {
    return document.version === null ? `The document is not ready: it is ${document.status}` : null
  }
  if (blind !== null) return `The model ${blind} does not see images`
  if (document.sizeBytes > mostImageBytes) return 'An attached image must not be larger than 5 MB'
  return imageBytes > mostImageBytesTogether ? 'Attached images must not be larger than 20 MB together' : null
}

const gone = (id: string): RunFailure =>
  new RunFailure('attachment_unavailable', `The attached document ${id} is gone or cannot be read any more`)
