// @ts-check
/** The process of the operator's command. It is JavaScript for the same reason as `../main.js`. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runsBuilt } from '../built.js'

// Only the owner of the process may read the written files, even if the shell's umask allows more.
process.umask(0o077)
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/atrium'))
const words = process.argv.slice(2)
// `connector` loads an author's code, which imports our sources too.
const code = words[0] !== 'connector' && runsBuilt(process.env) ? '../../dist/operator.js' : './run.ts'
/** @type {typeof import('./run.ts')} */
const { runCommandLine } = await import(code)

process.exitCode = await runCommandLine(words, {
  environment: process.env,
  print: text => process.stdout.write(`${text}\n`),
  printError: text => process.stderr.write(`${text}\n`),
})
