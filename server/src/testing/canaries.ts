/** Words that stand in no other text, and the files in which they can be read. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { putAndWait, search } from './knowledge/knowledge.ts'
import type { TestApp } from './test-app.ts'

export const canaries = ['jxqplavmor', 'jxqpzofgek', 'jxqpwubdri', 'jxqptyhcas', 'jxqpnedkul'] as const

/** Null on PostgreSQL. */
export async function databaseFile({ dependencies }: TestApp): Promise<string | null> {
  const { engine, read } = dependencies.database
  if (engine === 'postgres') return null
  const { rows } = await sql<{ file: string }>`SELECT file FROM pragma_database_list`.execute(read)
  return rows[0]?.file ?? null
}

/** The files of the server in which a canary can be read, by the end of the word: FTS5 leaves out what two words begin with. */
export async function filesWithCanaries(app: TestApp): Promise<string[]> {
  const file = await databaseFile(app)
  const folders = [app.settings.dataDir, ...(file === null ? [] : [dirname(file)])]
  const found: string[] = []
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      if (canaries.some(word => bytes.includes(word.slice(-6)))) found.push(entry.name)
    }
  }
  return found
}

/** A document with a canary in each of its parts, and one in its earlier version. */
export async function putCanaries(app: TestApp, collectionId: string, key: string): Promise<string> {
  const [heading, text, earlier, title, metadata] = canaries
  const target = { collectionId, externalId: 'canaries' }
  await putAndWait(app, { ...target, content: `Before it was ${earlier}.` })
  const { id } = await putAndWait(app, {
    ...target,
    content: `# ${heading}\n\nIt is called ${text} by all.`,
    name: 'a.md',
    fields: { title: `The ${title}`, metadata: JSON.stringify({ word: metadata }) },
    headers: { 'idempotency-key': key },
  })
  assert.deepEqual(
    (await search(app, text)).map(hit => hit.documentId),
    [id],
  )
  return id
}
