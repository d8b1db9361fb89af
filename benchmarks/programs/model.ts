/** The model's server as a thread of its own, so that it takes no time from the one that measures. */
import { parentPort } from 'node:worker_threads'
import { startModelServer } from '../../server/src/testing/servers/model-server.ts'

const server = await startModelServer()
/** It answers at once, unless it is asked to write for so many seconds: then ten words in each. */
server.setScript(({ messages }) => {
  const said = String(JSON.stringify(messages.at(-1)?.content))
  const seconds = /Write for (\d+) seconds/.exec(said)?.[1]
  if (seconds === undefined) return { kind: 'answer', text: 'Hello from the model.' }
  const words = Array.from({ length: Number(seconds) * 10 }, (_, place) => `word${place}`)
  return { kind: 'paced', text: words.join(' '), delayMs: 100 }
})
// What it logs for tests would grow with every call.
setInterval(() => server.requests.splice(0), 1_000).unref()
parentPort?.postMessage(server.baseUrl)
