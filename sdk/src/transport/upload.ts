/** A multipart upload: text parts first, so that the server can judge them before the file has come. */
import type { FormBody } from './transport.ts'

/** What can be uploaded. A stream is sent as it comes and only once: a retry would need its beginning again. */
export type UploadSource = Blob | Uint8Array | string | ReadableStream<Uint8Array>

export type UploadFile = {
  /** The file name, whose ending may help to tell its type. */
  name: string
  content: UploadSource
  /** Such as `application/pdf`; the server looks at the content itself. */
  mediaType?: string | undefined
}

/** Fields that are `undefined` are left out; objects are sent as JSON. */
export function formOf(fields: Record<string, unknown>, fileField: string, file: UploadFile): FormBody {
  const { content } = file
  return content instanceof ReadableStream
    ? streamedForm(textsOf(fields), fileField, { ...file, content })
    : formOfFiles(fields, fileField, [{ ...file, content }])
}

/** The same with many files, none of them a stream. */
export function formOfFiles(
  fields: Record<string, unknown>,
  fileField: string,
  files: readonly (UploadFile & { content: Exclude<UploadSource, ReadableStream> })[],
): FormBody {
  const open = () => {
    const form = new FormData()
    for (const [name, value] of textsOf(fields)) form.append(name, value)
    for (const { name, content, mediaType } of files) {
      const blob = content instanceof Blob ? content : new Blob([content as BlobPart])
      form.append(fileField, withType(blob, mediaType), name)
    }
    return form
  }
  // The boundary is fetch's to choose, and so is the header that names it.
  return { open, headers: {}, repeatable: true }
}

const textsOf = (fields: Record<string, unknown>): (readonly [string, string])[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const)

type BlobPart = ConstructorParameters<typeof Blob>[0] extends Iterable<infer Part> | undefined ? Part : never

const withType = (blob: Blob, mediaType: string | undefined): Blob =>
  mediaType === undefined || blob.type === mediaType ? blob : blob.slice(0, blob.size, mediaType)

/** `FormData` wants the whole file in hand; this passes on a stream of any length. */
function streamedForm(
  texts: readonly (readonly [string, string])[],
  fileField: string,
  file: UploadFile & { content: ReadableStream<Uint8Array> },
): FormBody {
  const boundary = `atrium-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  const encoder = new TextEncoder()
  const head = texts.map(([name, value]) => `${partHead(boundary, name)}\r\n${value}\r\n`).join('')
  const fileHead =
    `${partHead(boundary, fileField, file.name)}` +
    `content-type: ${file.mediaType ?? 'application/octet-stream'}\r\n\r\n`
  const frame = new TransformStream<Uint8Array, Uint8Array>({
    start: controller => controller.enqueue(encoder.encode(head + fileHead)),
    flush: controller => controller.enqueue(encoder.encode(`\r\n--${boundary}--\r\n`)),
  })
  return {
    open: () => file.content.pipeThrough(frame),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    repeatable: false,
  }
}

function partHead(boundary: string, name: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${escapeQuoted(fileName)}"`
  return `--${boundary}\r\ncontent-disposition: form-data; name="${escapeQuoted(name)}"${file}\r\n`
}

/** As browsers do it: a quote or a line break in a name must not end the header. */
const escapeQuoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
