// @ts-check
/**
 * The program: starts the process, with the code that Node compiled at the last start. It is JavaScript: for a
 * TypeScript file that is read before the cache is open, Node would load its compiler.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runsBuilt } from './built.js'

// Only the owner of the process may read the written files, even if the shell's umask allows more.
process.umask(0o077)
// Within this installation: a folder that others may write to must not hold our code. If Node cannot write the
// folder, it runs without the cache.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/atrium'))
const code = runsBuilt(process.env) ? 'built' : 'sources'
const { run } = await import(code === 'built' ? '../dist/server.js' : './start/process.ts')
await run(process.argv.slice(2), process.env, code)
