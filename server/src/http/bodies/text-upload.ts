/** An upload without multipart: a JSON body whose `text` is the file. */
import { Readable } from 'node:stream'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { faultOfName } from '../../platform/blobs/file-name.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { ReceivedUpload } from './multipart.ts'

/** What such a body has besides the text parts of the upload. */
export type TextBody = { text: string; name?: string }

/** Throws `validation_failed` for a name that no file may have, and `payload_too_large`. */
export async function receiveText(
  { text, name = '', ...fields }: TextBody & Record<string, unknown>,
  { blobs, maxFileBytes }: { blobs: BlobStore; maxFileBytes: number },
): Promise<ReceivedUpload> {
  const fault = faultOfName(name)
  if (fault !== null) throw invalidField('name', fault)
  const bytes = Buffer.from(text)
  if (bytes.byteLength > maxFileBytes) {
    throw new ServiceError(
      'payload_too_large',
      `The text is larger than ${maxFileBytes} bytes, the limit of the plan`,
    )
  }
  const options = { name, statedMediaType: 'text/plain', maxBytes: maxFileBytes }
  const file = await blobs.receive(Readable.from([bytes]), options)
  return { fields, file, parts: [{ sentAs: name, file, refusal: null }] }
}
