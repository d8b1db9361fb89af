/** A process that loads all that a parsing child may load, so that Node keeps its compiled code; it reads no file. */
import { flushCompileCache } from 'node:module'
import './child.ts'
import { readers } from '../readers.ts'

await Promise.all(Object.values(readers).map(load => load()))
await import('../pdf.ts')
flushCompileCache()
process.exit()
