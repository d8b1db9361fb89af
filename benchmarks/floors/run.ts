/** The floor under a run: a bare Fastify that calls the model once and inserts three rows, on the disk when it answers. */
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

const database = new DatabaseSync(process.env.DATABASE_FILE ?? '')
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE records (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, content TEXT NOT NULL)
`)
const insert = database.prepare('INSERT INTO records (kind, content) VALUES (?, ?)')

const server = Fastify({ logger: false })
server.get('/', async () => ({ ok: true }))
server.post('/', async request => {
  const { prompt } = request.body as { prompt: string }
  const reply = await fetch(`${process.env.MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: prompt }] }),
  })
  const answer = await reply.text()
  database.exec('BEGIN IMMEDIATE')
  insert.run('run', prompt)
  insert.run('step', answer)
  insert.run('event', answer)
  database.exec('COMMIT')
  return { data: JSON.parse(answer) as unknown }
})
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
