/**
 * A connector at work: brings this repository's documentation into a collection, waits until it can be found, and asks
 * an agent about it. `npm run demo -- "your question"` starts a server of its own in a temporary folder; with ATRIUM_URL
 * and ATRIUM_API_KEY it uses that one, and a second call uploads only what has changed.
 */
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Agent, Atrium, AtriumError, type Run } from '@atrium/sdk'
import { type SourceFile, synchronize } from './synchronize.ts'
import { startTemporaryServer } from './temporary-server.ts'

const question = process.argv[2] ?? 'How many characters may an idempotency key have?'
const name = 'Atrium documentation'

const given = { baseUrl: process.env.ATRIUM_URL, apiKey: process.env.ATRIUM_API_KEY }
const server =
  given.baseUrl !== undefined && given.apiKey !== undefined
    ? { baseUrl: given.baseUrl, apiKey: given.apiKey, stop: async () => undefined }
    : await startTemporaryServer()
try {
  await tell(new Atrium(server))
} catch (error) {
  if (!(error instanceof AtriumError)) throw error
  console.error(`\n${error.name}: ${error.message}`)
  process.exitCode = 1
} finally {
  await server.stop()
}

async function tell(atrium: Atrium): Promise<void> {
  const files = await readDocumentation()
  const collection =
    (await find(atrium.knowledge.collections.list(), name)) ??
    (await atrium.knowledge.collections.create({
      name,
      description: 'The Markdown files of this repository.',
    }))
  console.log(`Collection  ${collection.name} (${collection.id})`)

  const sync = await synchronize(atrium, collection.id, files)
  console.log(
    `Documents   ${sync.added} added, ${sync.changed} changed, ${sync.unchanged} unchanged, ${sync.deleted} deleted`,
  )

  const agent: Agent =
    (await find(atrium.agents.list(), name)) ??
    (await atrium.agents.create({ name, collectionIds: [collection.id] }))
  console.log(`Agent       ${agent.name} (${agent.id}), model ${agent.model}`)

  console.log(`\n  ${question}\n`)
  await show(atrium, await atrium.agents.run(agent.id, { prompt: question }))
}

/** The outside system of this connector: the repository's Markdown files. */
async function readDocumentation(): Promise<SourceFile[]> {
  const root = resolve(import.meta.dirname, '../..')
  const patterns = ['*.md', 'docs/**/*.md', 'sdk/*.md']
  const paths = await Array.fromAsync(glob(patterns, { cwd: root }))
  return Promise.all(
    paths.sort().map(async path => {
      const content = await readFile(resolve(root, path))
      const sha256 = createHash('sha256').update(content).digest('hex')
      return { externalId: path.replaceAll('\\', '/'), content, sha256 }
    }),
  )
}

async function find<Named extends { name: string }>(
  list: AsyncIterable<Named>,
  wanted: string,
): Promise<Named | undefined> {
  for await (const item of list) if (item.name === wanted) return item
  return undefined
}

async function show(atrium: Atrium, run: Run): Promise<void> {
  console.log(`  ${run.output ?? `${run.status}: ${run.error?.message}`}\n`)
  for (const { marker, documentId, quote, startOffset, endOffset } of run.citations) {
    const document = await atrium.knowledge.documents.get(documentId)
    const [verdict] = await atrium.knowledge.verifyCitations([{ documentId, quote, startOffset, endOffset }])
    console.log(`  ${marker} ${document.externalId} ${startOffset}–${endOffset} (${verdict?.status})`)
  }
  console.log(
    `\n  ${run.model}, ${run.durationMs} ms, ${run.usage.inputTokens} + ${run.usage.outputTokens} tokens, $${run.usage.costUsd}`,
  )
}
