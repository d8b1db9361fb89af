/**
 * A connector with a webhook: brings the tickets of a help desk in as texts, and is told when each can be found. It
 * listens on RECEIVER_PORT, and ends once all have arrived.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Atrium, verifyWebhook } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.ATRIUM_URL, apiKey: process.env.ATRIUM_API_KEY })
const port = Number(process.env.RECEIVER_PORT ?? 8797)
const secretFile = process.env.SECRET_FILE ?? '.tickets-secret'

/** A real connector reads these from its service. */
const tickets = [
  {
    id: 'T-1',
    title: 'The gate stays open',
    text: 'The gate of hall 2 stays open after rain.',
    state: 'open',
  },
  { id: 'T-2', title: 'No invoice', text: 'The invoice of March did not arrive by mail.', state: 'closed' },
]

/** Started twice, the program has one endpoint. Only its first reply shows the secret. */
async function prepareSecret(): Promise<string> {
  const eventTypes = ['document.ready', 'document.failed'] as const
  const hook = await atrium.webhooks.put({ url: `http://127.0.0.1:${port}/`, eventTypes: [...eventTypes] })
  if (hook.secret === undefined && existsSync(secretFile)) return readFileSync(secretFile, 'utf8')
  const secret = hook.secret ?? (await atrium.webhooks.rotateSecret(hook.id)).secret ?? ''
  writeFileSync(secretFile, secret, { mode: 0o600 })
  return secret
}

async function collectionNamed(name: string): Promise<string> {
  for await (const collection of atrium.knowledge.collections.list())
    if (collection.name === name) return collection.id
  return (await atrium.knowledge.collections.create({ name })).id
}

const secret = await prepareSecret()
const settled = new Set<string>()
let sent: readonly string[] | null = null

const receiver = createServer(async (request, response) => {
  try {
    const { type, data } = await verifyWebhook(await buffer(request), request.headers, secret)
    settled.add((data as { id: string }).id)
    console.log(type)
    response.writeHead(204).end()
  } catch {
    // Not from Atrium, or too old.
    response.writeHead(400).end()
  }
  closeOnceSettled()
}).listen(port, '127.0.0.1')

function closeOnceSettled(): void {
  if (sent?.every(id => settled.has(id))) receiver.close()
}

const collectionId = await collectionNamed('Tickets')
const documents = await Promise.all(
  tickets.map(({ id: externalId, title, text, state }) =>
    atrium.knowledge.documents.put({ collectionId, externalId, title, text, metadata: { state } }),
  ),
)
// A ticket that has not changed causes no event.
for (const { id, status } of documents) if (status === 'ready') settled.add(id)
sent = documents.map(({ id }) => id)
closeOnceSettled()
