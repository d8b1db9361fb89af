/** Resumable uploads made call by call, as a test of the protocol needs them. */
import { randomBytes } from 'node:crypto'
import type { TestApp, TestKey, TestReply } from '../test-app.ts'

/** Text that is long, and no two parts of it alike. */
export const textOf = (bytes: number): Buffer => Buffer.from(randomBytes(bytes / 2).toString('hex'))

/** As the header `Upload-Metadata` has it. */
export const encodeMetadata = (metadata: Record<string, string>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export type Tus = {
  create(length: number, metadata?: Record<string, string>, key?: TestKey): Promise<TestReply>
  append(id: string, offset: number, bytes: Buffer, headers?: Record<string, string>): Promise<TestReply>
  offsetOf(id: string): Promise<number>
}

/** Uploads into one collection; `create` names the file `long.txt` unless the metadata says otherwise. */
export const createTus = (app: TestApp, collectionId: string): Tus => ({
  create: (length, metadata, key) =>
    app.request('POST', '/knowledge/uploads', {
      headers: {
        'tus-resumable': '1.0.0',
        'content-length': '0',
        'upload-length': String(length),
        'upload-metadata': encodeMetadata({ filename: 'long.txt', collectionId, ...metadata }),
      },
      key,
    }),
  append: (id, offset, bytes, headers = {}) =>
    app.request('PATCH', `/knowledge/uploads/${id}`, {
      body: bytes,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        ...headers,
      },
    }),
  offsetOf: async id => Number((await headOf(app, id)).headers['upload-offset']),
})

export const headOf = (app: TestApp, id: string): Promise<TestReply> =>
  app.request('HEAD', `/knowledge/uploads/${id}`, { headers: { 'tus-resumable': '1.0.0' } })

/** The file of a document, byte for byte. */
export async function downloadOriginal(app: TestApp, address: string, id: string): Promise<Buffer> {
  const reply = await fetch(`${address}/api/v1/knowledge/documents/${id}/original`, {
    headers: { authorization: `Bearer ${app.liveKey.key}` },
  })
  return Buffer.from(await reply.arrayBuffer())
}
