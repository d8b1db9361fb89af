/** The model's server as a thread of its own, so that it takes no time from the one that measures. */
import { parentPort } from 'node:worker_threads'
import { startModelServer } from '../../server/src/testing/model-server.ts'

const server = await startModelServer()
// What it logs for tests would grow with every call.
setInterval(() => server.requests.splice(0), 1_000).unref()
parentPort?.postMessage(server.baseUrl)
