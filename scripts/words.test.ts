import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const script = resolve(import.meta.dirname, 'words.ts')
const check = (...paths: string[]) => spawnSync(process.execPath, [script, ...paths], { encoding: 'utf8' })

test('a word that STYLE.md rules out is found with its file and line', context => {
  const path = resolve(import.meta.dirname, `planted-${process.pid}.md`)
  context.after(() => rmSync(path, { force: true }))
  writeFileSync(path, 'Plain.\nWhoever reads this begins anew.\nCommendable: mending.\n')
  const { status, stderr } = check(path)
  assert.equal(status, 1)
  assert.deepEqual(stderr.match(/:\d+: “\w+”/g), [':2: “Whoever”', ':2: “anew”'])
})

test('the folders outside the server and the docs hold none of these words', () => {
  const { status, stderr } = check('console', 'connectors', 'sdk', 'scripts', 'benchmarks', 'examples')
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})
