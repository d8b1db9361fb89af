import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../testing/eventually.ts'
import { startChores } from './chores.ts'
import { createLog } from './log.ts'

test('a chore that fails is logged and done again, and one that hangs holds up no other', async () => {
  const lines: string[] = []
  const hanging = Promise.withResolvers<void>()
  const counts = { failing: 0, hanging: 0, well: 0 }
  const stop = startChores(
    [
      {
        name: 'failing',
        everyMs: 1,
        work: () => {
          counts.failing += 1
          return Promise.reject(new Error('No room'))
        },
      },
      {
        name: 'hanging',
        everyMs: 1,
        atStart: true,
        work: () => {
          counts.hanging += 1
          return hanging.promise
        },
      },
      {
        name: 'well',
        everyMs: 1,
        work: async () => {
          counts.well += 1
        },
      },
    ],
    createLog({ level: 'warn', write: line => lines.push(line) }),
  )
  await eventually('the others are done again', () => counts.failing > 2 && counts.well > 2)
  assert.equal(counts.hanging, 1, 'none runs beside itself')
  assert.match(lines[0] ?? '', /A chore failed.*"chore":"failing".*No room/)

  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(stopped, false, 'what is under way is waited for')
  hanging.resolve()
  await stopping
  const last = { ...counts }
  await new Promise(resolve => setTimeout(resolve, 20))
  assert.deepEqual(counts, last, 'none is done after the end')
})
