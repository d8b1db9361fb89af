/** An embedding model's server as a thread of its own: it knows no language, and takes a vector of its store by the text. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom } from '../corpus.ts'

const dimensions = workerData as number
const groups = 100
const vectorsInGroup = 20

/** Vectors are made and serialized once: making one takes longer than sending it. */
const store = createStore()

const server = createServer(async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const { input } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { input: string[] }
  const data = input.map((text, index) => `{"index":${index},"embedding":${vectorFor(text)}}`)
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(`{"object":"list","data":[${data.join(',')}],"usage":{"prompt_tokens":0,"total_tokens":0}}`)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)

function vectorFor(text: string): string {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0
  return store[hash % store.length] ?? '[]'
}

function createStore(): string[] {
  const random = createRandom()
  const around = (centre: readonly number[]): number[] => centre.map(number => number + random() - 0.5)
  const zero = new Array<number>(dimensions).fill(0)
  return Array.from({ length: groups }, () => around(zero)).flatMap(centre =>
    Array.from({ length: vectorsInGroup }, () =>
      JSON.stringify(around(centre).map(number => Math.round(number * 10_000) / 10_000)),
    ),
  )
}
