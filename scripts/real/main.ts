/**
 * Atrium against parts that none of us wrote: `npm run test:real -- LANE… [--part NAME…] [--long]`. The exit code is 1 after a
 * failure, and 77 where nothing failed but a lane was skipped.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { lanes } from './lanes.ts'
import { interruption, runLanes } from './run-lanes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true, default: [] },
  },
})
const code = await runLanes(lanes, {
  root: resolve(import.meta.dirname, '../..'),
  names: positionals,
  partNames: values.part,
  isLong: values.long,
  signal: interruption(),
  print: line => console.log(line),
})
// Not `process.exitCode`: the package of the embedded PostgreSQL ends an idle process with 0.
process.exit(code)
