// @ts-check
/**
 * The program: starts the process, with the code that Node compiled at the last start. It is JavaScript, since Node would load
 * its compiler for a TypeScript file that is read before the cache is open.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runsBuilt } from './built.js'

// What is written is for the owner of the process alone, whatever the shell says.
process.umask(0o077)
// Within this installation: a folder that others may write to must hold no code of ours. Where it cannot be
// written, Node goes without it.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/atrium'))
const code = runsBuilt(process.env) ? 'built' : 'sources'
const { run } = await import(code === 'built' ? '../dist/server.js' : './start/process.ts')
await run(process.argv.slice(2), process.env, code)
