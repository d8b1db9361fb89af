/** Memory while a large file goes in and comes out again. */
import { createCall, createCollection } from '../call.ts'
import { startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const fileBytes = 1024 ** 3
const blockBytes = 1024 ** 2
const mustMb = 200

export async function measureLargeFile(): Promise<Row[]> {
  await using atrium = await startAtrium()
  const key = await atrium.createKey('live')
  const call = createCall(atrium.url, key)
  const collectionId = await createCollection(call, 'Large files')
  const before = await atrium.residentMb()
  const id = await upload(atrium.url, key, collectionId)
  const reply = await fetch(`${atrium.url}/api/v1/knowledge/documents/${id}/original`, {
    headers: { authorization: `Bearer ${key}` },
  })
  let received = 0
  for await (const piece of reply.body ?? []) received += piece.length
  if (received !== fileBytes) throw new Error(`${fileBytes} bytes were sent, ${received} came back`)
  const peak = await atrium.peakMb()
  return [
    row(
      'Most memory while 1 GB is uploaded and downloaded',
      `${rounded(peak)} MB`,
      `< ${mustMb} MB`,
      peak < mustMb,
      `before it ${rounded(before)} MB`,
    ),
  ]
}

async function upload(url: string, key: string, collectionId: string): Promise<string> {
  const boundary = 'benchmark-boundary'
  const reply = await fetch(`${url}/api/v1/knowledge/documents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: ReadableStream.from(formOf(boundary, collectionId)),
    duplex: 'half',
  })
  if (!reply.ok) throw new Error(`The upload was answered with ${reply.status}: ${await reply.text()}`)
  return ((await reply.json()) as { data: { id: string } }).data.id
}

/** Block by block, so that this process has no more of it than the server should. */
async function* formOf(boundary: string, collectionId: string): AsyncGenerator<Uint8Array> {
  const encode = (text: string) => new TextEncoder().encode(text)
  const part = (about: string) => `--${boundary}\r\ncontent-disposition: form-data; ${about}\r\n\r\n`
  yield encode(`${part('name="collectionId"')}${collectionId}\r\n`)
  yield encode(part('name="file"; filename="large.txt"'))
  const block = encode('A line of a text that goes on and on.\n'.repeat(blockBytes / 32)).subarray(
    0,
    blockBytes,
  )
  for (let sent = 0; sent < fileBytes; sent += blockBytes) yield block
  yield encode(`\r\n--${boundary}--\r\n`)
}
