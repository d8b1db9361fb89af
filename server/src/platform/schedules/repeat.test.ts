import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { createPausedSleep } from '../../testing/sleeps.ts'
import { createLog } from '../log.ts'
import { repeat } from './rounds.ts'

test('a round that fails is logged and the next one comes; one that lasts is not begun again, and is waited for at the end', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', write: line => lines.push(line) })
  const { sleep, pausesMs, wake } = createPausedSleep()
  const lasting = Promise.withResolvers<void>()
  const counts = { failing: 0, lasting: 0 }
  const fail = () => {
    counts.failing += 1
    return Promise.reject(new Error('No room'))
  }
  const last = () => {
    counts.lasting += 1
    return lasting.promise
  }
  const stopFailing = repeat({ name: 'failing', everyMs: 1_000, run: fail }, { log, sleep })
  const stopLasting = repeat({ name: 'lasting', everyMs: 1_000, atStart: true, run: last }, { log, sleep })
  assert.deepEqual(counts, { failing: 0, lasting: 1 }, 'one of them runs at the start')
  for (let round = 1; round <= 3; round++) {
    await eventually('one of them pauses', () => pausesMs().length === 1)
    assert.ok(pausesMs().every(ms => ms >= 800 && ms <= 1_200))
    wake()
    await eventually('it is tried again', () => counts.failing === round)
  }
  assert.equal(counts.lasting, 1)
  assert.equal(lines.length, 3)
  assert.match(lines[0] ?? '', /A periodic task failed.*"task":"failing".*No room/)

  let isStopped = false
  const stopping = stopLasting().then(() => {
    isStopped = true
  })
  await stopFailing()
  assert.equal(isStopped, false)
  lasting.resolve()
  await stopping
  wake()
  assert.deepEqual([counts, pausesMs()], [{ failing: 3, lasting: 1 }, []])
})
