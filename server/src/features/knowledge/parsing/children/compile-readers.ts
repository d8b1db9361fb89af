/** A process that loads all code that a parsing child may load, so that Node caches that code. It reads no files. */
import { flushCompileCache } from 'node:module'
import './child.ts'
import { readers } from '../readers.ts'

await Promise.all(Object.values(readers).map(load => load()))
await import('../pdf/read-pdf.ts')
flushCompileCache()
process.exit()
