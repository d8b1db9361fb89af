// @ts-check
/** The process of the operator's command; JavaScript for the same reason as `../main.js`. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// What is written is for the owner of the process alone, whatever the shell says.
process.umask(0o077)
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/atrium'))
const { runCommandLine } = await import('./run.ts')

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: text => process.stdout.write(`${text}\n`),
  printError: text => process.stderr.write(`${text}\n`),
})
