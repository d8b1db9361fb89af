/** When a process counts as idle. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createIdleWatch } from './idle.ts'

test('a process that becomes idle is told so once, and again only after more work', () => {
  let calls = 0
  const look = createIdleWatch(() => {
    calls++
  })
  const callsAfter = (...utilizations: number[]): number => {
    for (const utilization of utilizations) look(utilization)
    return calls
  }
  assert.equal(callsAfter(0, 0.01), 0)
  assert.equal(callsAfter(0.5, 0.03), 0)
  assert.equal(callsAfter(0.01, 0, 0.02), 1)
  assert.equal(callsAfter(1, 0), 2)
})

test('the size of the heap is known where no more files can be opened', () => {
  const program = `
    import { openSync } from 'node:fs'
    import { usedHeapBytes } from '${new URL('./idle.ts', import.meta.url).href}'
    let code = ''
    while (code === '') try { openSync('/dev/null') } catch (error) { code = error.code }
    let usual = ''
    try { process.memoryUsage() } catch (error) { usual = error.code }
    process.stdout.write(JSON.stringify({ code, usual, isKnown: usedHeapBytes() > 0 }))`
  const shell = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"'
  const { stdout, stderr } = spawnSync('sh', ['-c', shell, process.execPath, program], { encoding: 'utf8' })
  assert.notEqual(stdout, '', stderr)
  const { code, isKnown } = JSON.parse(stdout)
  assert.deepEqual({ code, isKnown }, { code: 'EMFILE', isKnown: true })
})
