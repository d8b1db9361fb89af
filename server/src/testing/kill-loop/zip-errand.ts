/** Zips under the kill loop: one that was cut short is sent again, and then each of its files is there once. */
import assert from 'node:assert/strict'
import { zipOfEntries } from '../knowledge/zip-entries.ts'
import { type Content, makeContent } from './book.ts'
import { formOf, type Json, search } from './call.ts'
import type { Errand } from './errand.ts'

type Packed = { path: string; content: Content }

const filesInZip = 4
/** The same names come again, with other contents; none has a part that the words of contents have. */
const names = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath']

export function createZipErrand(collectionId: string, random: () => number): Errand {
  let sending: Packed[] | null = null
  const there = new Map<string, Content>()
  let replaced: Content[] = []
  let first = 0

  const pack = (): Packed[] => {
    first = (first + filesInZip - 1) % names.length
    return Array.from({ length: filesInZip }, (_, index) => ({
      path: `folder/${names[(first + index) % names.length]}.txt`,
      content: makeContent(random),
    }))
  }

  return {
    changes: 1,
    async run(call) {
      sending ??= pack()
      const packed = sending
      const bytes = zipOfEntries(packed.map(({ path, content }) => ({ name: path, content: content.bytes })))
      const form = formOf({ name: 'files.zip', bytes }, { collectionId })
      const reply = await call('POST', '/knowledge/documents/batch', { form })
      if (reply === null) return false
      assert.equal(reply.status, 200, JSON.stringify(reply))
      const refused = reply.body.data.files.filter(({ outcome }: Json) => outcome === 'rejected')
      assert.deepEqual(refused, [])
      replaced = packed.flatMap(({ path }) => there.get(path) ?? [])
      for (const { path, content } of packed) there.set(path, content)
      sending = null
      return true
    },

    async check(call, query) {
      const faults: string[] = []
      const underWay = new Set(sending?.map(({ path }) => path))
      for (const [path, { word }] of there) {
        if (underWay.has(path)) continue
        const hits = await search(call, word)
        if (hits === null) return null
        if (hits.length !== 1) faults.push(`${word} of ${path} in a zip is found in [${hits}]`)
      }
      for (const { word } of replaced) {
        const hits = await search(call, word)
        if (hits === null) return null
        if (hits.length > 0) faults.push(`${word} was replaced by a zip, and is found in [${hits}]`)
      }
      const rows = await query
        .selectFrom('documents')
        .select(['external_id', 'status'])
        .where('collection_id', '=', collectionId)
        .execute()
      const known = new Set([...there.keys(), ...underWay])
      for (const { external_id: path, status } of rows) {
        if (path === null || !known.has(path) || status !== 'ready')
          faults.push(`${path} of a zip is ${status}, and was never sent or read`)
      }
      return faults
    },
  }
}
