/** When the server runs what was built, and when its sources. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hashOf, isBuilt } from './built.js'

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
  const list = [['../source.ts', mtimeMs, size, hashOf(await readFile(source))]]
  await writeFile(join(dist, 'sources.json'), JSON.stringify(list))
}

test('where nothing was built, the sources run', () => {
  assert.equal(isBuilt(join(folder, 'elsewhere')), false)
})

test('what was built runs until a source has other content or is gone', async () => {
  await build()
  assert.equal(isBuilt(dist), true)
  for (const content of ['export const one = 2\n', 'export const one = 11\n']) {
    await writeFile(source, content)
    await utimes(source, 1, 1)
    assert.equal(isBuilt(dist), false)
    await build()
  }
  await rm(source)
  assert.equal(isBuilt(dist), false)
})

test('what was built runs where the folder was copied, or unpacked with other times', async () => {
  await build()
  await utimes(source, 1, 1)
  assert.equal(isBuilt(dist), true)
})
