/** Imports under the kill loop: a collection comes whole or not at all, and what did not come has left nothing. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Content, makeContent } from './book.ts'
import { type Call, formOf, type Json, search } from './call.ts'
import type { Errand } from './errand.ts'

const documents = 5
const pollMs = 50

export function createImportErrand(collectionId: string, random: () => number): Errand {
  const contents: Content[] = []
  let archive: Buffer | null = null
  let importId: string | null = null
  /** An import that came, until it is erased. */
  let imported: string | null = null

  /** Returns false if the server is gone. */
  const prepare = async (call: Call): Promise<boolean> => {
    for (; contents.length < documents; ) {
      const content = makeContent(random)
      const path = `/knowledge/collections/${collectionId}/documents/${contents.length}`
      const headers = { prefer: 'wait=20' }
      const reply = await call('PUT', path, { form: formOf(content, {}), headers })
      if (reply === null) return false
      if (reply.body.data.status !== 'ready') return true
      contents.push(content)
    }
    const reply = await call('GET', `/knowledge/collections/${collectionId}/export`)
    if (reply?.status !== 200) return false
    archive = reply.bytes
    return true
  }

  const begin = async (call: Call, bytes: Buffer): Promise<string | null> => {
    const form = formOf({ name: 'archive.tar.gz', bytes }, {})
    const reply = await call('POST', '/knowledge/imports', { form })
    if (reply === null) return null
    assert.equal(reply.status, 202, JSON.stringify(reply))
    return reply.body.data.id
  }

  const ended = async (call: Call, id: string): Promise<Json | null> => {
    for (;;) {
      const reply = await call('GET', `/knowledge/imports/${id}`)
      if (reply === null) return null
      if (reply.body.data.finishedAt !== null) return reply.body.data
      await sleep(pollMs)
    }
  }

  return {
    changes: 1,
    async run(call) {
      if (imported !== null) {
        const reply = await call('DELETE', `/knowledge/collections/${imported}?erase=true`)
        if (reply === null) return false
        assert.ok(reply.status === 204 || reply.status === 404, JSON.stringify(reply))
        imported = null
      }
      if (archive === null) return prepare(call)
      importId ??= await begin(call, archive)
      if (importId === null) return false
      const end = await ended(call, importId)
      if (end === null) return false
      assert.equal(end.status, 'succeeded', JSON.stringify(end))
      imported = end.collectionId
      importId = null
      return true
    },

    async check(call, query) {
      const faults: string[] = []
      const rows = await query.selectFrom('imports').select(['id', 'status', 'collection_id']).execute()
      const came = new Set(rows.map(row => row.collection_id))
      const collections = await query
        .selectFrom('collections')
        .select(['id', 'name', 'document_count', 'deleted_at', 'erase_at'])
        .where('name', '=', 'Exported')
        .where('id', '<>', collectionId)
        .execute()
      for (const row of rows) {
        if (row.status !== 'succeeded') faults.push(`The import ${row.id} ended as ${row.status}`)
      }
      for (const { id, document_count, deleted_at, erase_at } of collections) {
        if (!came.has(id)) faults.push(`The collection ${id} belongs to no import`)
        if (deleted_at !== null && erase_at === null) faults.push(`The import into ${id} has left it hidden`)
        if (Number(document_count) !== documents)
          faults.push(`The import into ${id} has ${document_count} documents`)
      }
      if (collections.some(({ deleted_at }) => deleted_at !== null) || contents.length < documents)
        return faults
      for (const { word } of contents) {
        const hits = await search(call, word)
        if (hits === null) return null
        if (hits.length !== 1 + collections.length)
          faults.push(
            `${word} of an import is found ${hits.length} times in ${1 + collections.length} collections`,
          )
      }
      return faults
    },
  }
}
