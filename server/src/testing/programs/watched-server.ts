/** The server, with the times of the thread that watches it as its argument. */
import { run } from '../../start/process.ts'

await run([], process.env, 'sources', { watchTimes: JSON.parse(process.argv[2] ?? '') })
