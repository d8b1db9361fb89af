/** When the server runs what was built, and when its sources. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isBuilt } from './built.js'

let folder: string
let dist: string
let source: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-built-'))
  dist = join(folder, 'dist')
  source = join(folder, 'source.ts')
  await mkdir(dist)
})
after(() => rm(folder, { recursive: true, force: true }))

async function build(): Promise<void> {
  await writeFile(source, 'export const one = 1\n')
  const { mtimeMs, size } = await stat(source)
  await writeFile(join(dist, 'sources.json'), JSON.stringify([['../source.ts', mtimeMs, size]]))
}

test('where nothing was built, the sources run', () => {
  assert.equal(isBuilt(join(folder, 'elsewhere')), false)
})

test('what was built runs until a source is another one, be it older, longer or gone', async () => {
  await build()
  assert.equal(isBuilt(dist), true)
  await utimes(source, 1, 1)
  assert.equal(isBuilt(dist), false)
  await build()
  const { atime, mtime } = await stat(source)
  await writeFile(source, 'export const one = 11\n')
  await utimes(source, atime, mtime)
  assert.equal(isBuilt(dist), false)
  await build()
  await rm(source)
  assert.equal(isBuilt(dist), false)
})
