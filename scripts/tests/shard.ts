/**
 * One of the processes that run the test files: takes the path of a file, runs its tests, and takes the next. The modules
 * under test are loaded and compiled once for all of them.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { leftovers, remains } from './leftovers.ts'
import { processorMs } from './processor-time.ts'
import type { FileOrder, ShardMessage } from './protocol.ts'
import { runDeclared } from './run-file.ts'

const standIn = new URL('./node-test.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL?.endsWith('.test.ts') === true
      ? next(standIn, context)
      : next(specifier, context),
})
const { takeDeclared } = await import('./node-test.ts')

// They open when they are first used, which would look like something that a file has left open.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.on('message', (order: FileOrder) => void run(order))
// The runner has no more work, or was itself ended in the middle of a file.
process.on('disconnect', () => process.exit())

async function run(order: FileOrder): Promise<void> {
  const before = remains()
  const usedBeforeMs = processorMs()
  const errors: string[] = []
  try {
    await import(pathToFileURL(order.path).href)
    await runDeclared(takeDeclared(), order, send)
  } catch (error) {
    errors.push(inspect(error, { depth: 6 }))
  }
  const left = await leftovers(before)
  if (left.length > 0) errors.push(`The file leaves something behind: ${left.join(', ')}`)
  const memoryBytes = process.memoryUsage.rss()
  send({ type: 'file', errors, processorMs: processorMs() - usedBeforeMs, memoryBytes })
}

function send(message: ShardMessage): void {
  process.send?.(message)
}
