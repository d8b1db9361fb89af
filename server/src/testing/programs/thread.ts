/** A thread for tests of pools: it tells which one it is, fails, ends itself, or goes on until it is stopped. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { ServiceError } from '../../platform/errors.ts'
import { type GoOn, serve } from '../../platform/threads/serve.ts'

let begun = 0

serve<string, number>(async (work, goOn) => {
  if (work === 'fail') throw new Error('as it was thrown')
  if (work === 'refuse') {
    throw new ServiceError('validation_failed', 'Refused', {
      errors: [{ field: 'filter', message: 'is wrong' }],
      headers: { 'retry-after': '7' },
    })
  }
  if (work === 'exit') process.exit(3)
  if (work === 'steps') await goOnForever(goOn)
  return work === 'count' ? begun : threadId
})

async function goOnForever(goOn: GoOn): Promise<never> {
  begun += 1
  for (;;) {
    goOn()
    await nextTurn()
  }
}
