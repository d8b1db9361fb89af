/** Resumable uploads under the kill loop: a file whose last byte the server has said to have becomes exactly one document. */
import assert from 'node:assert/strict'
import { type Content, makeContent } from './book.ts'
import type { Call, Reply } from './call.ts'
import { search } from './call.ts'
import type { Errand } from './errand.ts'

type Sending = { id: string; content: Content }

const version = { 'tus-resumable': '1.0.0' }
const kept = 3

export function createResumableErrand(collectionId: string, random: () => number): Errand {
  let sending: Sending | null = null
  /** Files that the server had whole, the last ones. */
  const sent: Sending[] = []

  const begin = async (call: Call): Promise<Sending | null> => {
    const content = makeContent(random)
    const fields = { filename: content.name, collectionId }
    const metadata = Object.entries(fields).map(
      ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
    )
    const reply = await call('POST', '/knowledge/uploads', {
      headers: {
        ...version,
        'upload-length': String(content.bytes.length),
        'upload-metadata': metadata.join(','),
      },
    })
    if (reply === null) return null
    assert.equal(reply.status, 201, JSON.stringify(reply))
    return { id: reply.body.data.id, content }
  }

  const send = ({ id, content }: Sending, call: Call, from: number): Promise<Reply> => {
    const half = Math.ceil(content.bytes.length / 2)
    return call('PATCH', `/knowledge/uploads/${id}`, {
      bytes: content.bytes.subarray(from, from < half ? half : content.bytes.length),
      headers: {
        ...version,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(from),
      },
    })
  }

  return {
    changes: 1,
    async run(call) {
      sending ??= await begin(call)
      if (sending === null) return false
      for (;;) {
        const state: Reply = await call('HEAD', `/knowledge/uploads/${sending.id}`, { headers: version })
        if (state === null) return false
        assert.equal(state.status, 200)
        const offset = Number(state.headers.get('upload-offset'))
        if (offset === sending.content.bytes.length) break
        const reply = await send(sending, call, offset)
        if (reply === null) return false
        assert.equal(reply.status, 204, JSON.stringify(reply))
      }
      sent.push(sending)
      sending = null
      return true
    },

    async check(call, query) {
      const faults: string[] = []
      for (const { id, content } of sent.slice(-kept)) {
        const hits = await search(call, content.word)
        if (hits === null) return null
        const row = await query
          .selectFrom('uploads')
          .select(['status', 'document_id'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (hits.length !== 1 || row?.status !== 'done' || row.document_id !== hits[0])
          faults.push(`The upload ${id} is ${JSON.stringify(row)}, and found in [${hits}]`)
        const original = await call('GET', `/knowledge/documents/${hits[0]}/original`)
        if (original === null) return null
        if (!content.bytes.equals(original.bytes))
          faults.push(`The upload ${id} has other bytes than were sent`)
      }
      const { count } = await query
        .selectFrom('documents')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('collection_id', '=', collectionId)
        .executeTakeFirstOrThrow()
      const whole = await query
        .selectFrom('uploads')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('collection_id', '=', collectionId)
        .where('status', '=', 'done')
        .executeTakeFirstOrThrow()
      if (Number(count) !== Number(whole.count))
        faults.push(`${whole.count} uploads became ${count} documents`)
      return faults
    },
  }
}
