import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Atrium } from '@atrium/sdk'
import { createInstallation } from '../testing/operator.ts'
import { startWiki, wikiConnector, wikiKey } from '../testing/servers/wiki.ts'

test('a run from outside brings a collection in line: added, changed, deleted, each with its origin', async t => {
  const { run, atrium, path } = await prepare(t)
  const wiki = await startWiki(t)
  const credentials = path('credentials.json')
  await writeFile(credentials, JSON.stringify({ apiKey: wikiKey }))
  const sync = (...more: string[]) =>
    run(wikiConnector, [
      ...['--config', JSON.stringify({ baseUrl: wiki.origin }), '--credentials', `@${credentials}`],
      ...['--collection', 'Wiki', '--state', path('wiki.json'), ...more],
    ])
  const first = await sync()
  assert.deepEqual(first.json.counts, { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  assert.equal(first.json.isFull, true)
  assert.deepEqual((await sync()).json.counts, {
    added: 0,
    changed: 0,
    unchanged: 3,
    deleted: 0,
    failed: 0,
  })
  await wiki.write('leave', '# Leave\n\nEverybody has 30 days of paid leave a year.\n')
  await wiki.write('parking', '# Parking\n\nThere are eleven places.\n')
  await wiki.remove('pets')
  const second = await sync()
  assert.deepEqual(second.json.counts, { added: 1, changed: 1, unchanged: 1, deleted: 1, failed: 0 })

  const { collectionId } = second.json
  const leave = await atrium.knowledge.documents.getByExternalId(collectionId, 'leave')
  assert.deepEqual(
    [leave.title, leave.metadata],
    [
      'Leave',
      {
        source: 'wiki',
        url: `${wiki.origin}/api/pages/leave`,
        author: 'ada',
        updatedAt: '2026-01-01T04:00:00.000Z',
      },
    ],
  )
  await atrium.knowledge.documents.waitUntilReady(leave.id)
  assert.match((await atrium.knowledge.documents.content(leave.id)).text, /30 days/)
  const slugs: (string | null)[] = []
  for await (const { externalId } of atrium.knowledge.documents.list({ collectionId })) slugs.push(externalId)
  assert.deepEqual(slugs.sort(), ['leave', 'parking', 'travel'])

  // Somebody deletes a document that the wiki still has.
  await atrium.knowledge.documents.deleteByExternalId(collectionId, 'travel')
  const healed = await sync('--full')
  assert.equal(healed.json.counts.added, 1)
  await atrium.knowledge.documents.getByExternalId(collectionId, 'travel')
})

test('a source that loses most of its pages empties no collection unless the number is confirmed', async t => {
  const { run, atrium, path } = await prepare(t)
  const wiki = await startWiki(t)
  for (let at = 0; at < 7; at++) await wiki.write(`page-${at}`, `# Page ${at}\n\nText ${at}.\n`)
  const sync = (...more: string[]) =>
    run(wikiConnector, [
      ...['--config', JSON.stringify({ baseUrl: wiki.origin }), '--credentials', `{"apiKey":"${wikiKey}"}`],
      ...['--collection', 'Wiki', '--state', path('wiki.json'), ...more],
    ])
  const { collectionId } = (await sync()).json
  for (let at = 0; at < 7; at++) await wiki.remove(`page-${at}`)
  const refused = await sync()
  assert.equal(refused.exitCode, 1)
  assert.match(refused.json.error.message, /would delete 7 of 10 documents, so nothing was deleted/)
  const count = async () => (await atrium.knowledge.documents.list({ collectionId }).page()).total
  assert.equal(await count(), 10)
  assert.equal((await sync('--confirm-deletes', '6')).exitCode, 1)
  assert.equal(await count(), 10)
  assert.equal((await sync('--confirm-deletes', '7')).json.counts.deleted, 7)
  assert.equal(await count(), 3)
  assert.equal((await sync('--confirm-deletes', 'all')).exitCode, 2)
})

test('what the service tells as changed is all that is fetched, and an item that fails stops no other and is tried again', async t => {
  const { run, atrium, path } = await prepare(t)
  const file = path('feed.mjs')
  await writeFile(file, feedConnector)
  const feed = path('feed.json')
  const sync = (...more: string[]) =>
    run(file, ['--config', JSON.stringify({ feed }), '--collection', 'Feed', ...more])
  const page = (id: string, version: string, text: string | null) => ({ id, version, data: { text } })
  const tell = (content: object) => writeFile(feed, JSON.stringify(content))

  await tell({ items: [page('a', '1', 'One'), page('b', '1', null), page('c', '1', 'Three')], since: '1' })
  const first = await sync()
  assert.deepEqual([first.exitCode, first.json.isFull], [1, true])
  assert.deepEqual(first.json.counts, { added: 2, changed: 0, unchanged: 0, deleted: 0, failed: 1 })
  assert.deepEqual(first.json.failures, [
    { id: 'b', message: 'The connector could not fetch it: b has no text' },
  ])

  await tell({ items: [page('c', '2', 'Three, again')], removed: ['a'], since: '2', expects: '1' })
  const second = await sync()
  assert.equal(second.json.isFull, false)
  assert.deepEqual(second.json.counts, { added: 0, changed: 1, unchanged: 0, deleted: 1, failed: 1 })

  await tell({ items: [page('b', '2', 'Two')], since: '3', expects: '2' })
  assert.deepEqual((await sync()).json.counts, {
    added: 1,
    changed: 0,
    unchanged: 0,
    deleted: 0,
    failed: 0,
  })

  // The service has forgotten what it had said.
  await tell({ items: [page('b', '2', 'Two')], since: '9', startOver: true })
  const over = await sync()
  assert.equal(over.json.isFull, true)
  assert.deepEqual(over.json.counts, { added: 0, changed: 0, unchanged: 1, deleted: 1, failed: 0 })
  const left = await atrium.knowledge.documents.list({ collectionId: over.json.collectionId }).page()
  assert.deepEqual(
    left.items.map(({ externalId }) => externalId),
    ['b'],
  )
})

test('what an unsure listing lacks is asked for by its id, and deleted only where it is gone', async t => {
  const { run, atrium, path } = await prepare(t)
  const file = path('unsure.mjs')
  await writeFile(file, unsureConnector)
  const feed = path('unsure.json')
  const sync = (...more: string[]) =>
    run(file, ['--config', JSON.stringify({ feed }), '--collection', 'Unsure', ...more])
  await writeFile(feed, JSON.stringify({ a: 'One', b: 'Two', c: 'Three' }))
  assert.equal((await sync()).json.counts.added, 3)
  await writeFile(feed, JSON.stringify({ a: 'One', c: 'Three', unlisted: ['a'] }))
  const { json } = await sync('--full')
  assert.deepEqual(json.counts, { added: 0, changed: 0, unchanged: 2, deleted: 1, failed: 0 })
  const left = await atrium.knowledge.documents.list({ collectionId: json.collectionId }).page()
  assert.deepEqual(left.items.map(({ externalId }) => externalId).sort(), ['a', 'c'])
})

test('one run at a time has a state, which belongs to one collection; a killed run does not block the next one', async t => {
  const { run, atrium, path } = await prepare(t)
  const file = path('feed.mjs')
  await writeFile(file, feedConnector)
  const feed = path('feed.json')
  await writeFile(feed, JSON.stringify({ items: [{ id: 'a', version: '1', data: { text: 'One' } }] }))
  const state = path('state.json')
  const sync = (collection: string) =>
    run(file, ['--config', JSON.stringify({ feed }), '--collection', collection, '--state', state])
  assert.equal((await sync('Feed')).exitCode, 0)
  assert.match(
    (await sync('Other')).json.error.message,
    /is of the connector feed and the collection col_\w+; name another file with --state/,
  )
  const { items: collections } = await atrium.knowledge.collections.list().page()
  assert.equal(
    collections.some(({ name }) => name === 'Other'),
    false,
    'a refused run makes no collection',
  )

  await writeFile(`${state}.lock`, String(process.pid))
  assert.match((await sync('Feed')).json.error.message, /Another run \(process \d+\) is at work/)
  // No process has a number as high as that.
  await writeFile(`${state}.lock`, '4194305')
  assert.equal((await sync('Feed')).exitCode, 0)

  const { items } = JSON.parse(await readFile(state, 'utf8'))
  assert.deepEqual(Object.keys(items), ['a'])
  await writeFile(state, 'half a sta')
  assert.match((await sync('Feed')).json.error.message, /is no state of a connector's run/)
})

test('a run that is killed in the middle goes on with what is left', async t => {
  const { run, path, atrium, kill } = await prepare(t)
  const file = path('feed.mjs')
  await writeFile(file, feedConnector)
  const feed = path('feed.json')
  const count = 70
  const items = Array.from({ length: count }, (_, at) => ({
    id: `item-${at}`,
    version: '1',
    data: { text: `Text ${at}`, delayMs: 100 },
  }))
  await writeFile(feed, JSON.stringify({ items, since: '1' }))
  const state = path('state.json')
  const words = ['--config', JSON.stringify({ feed }), '--collection', 'Feed', '--state', state]
  const isUnderWay = async () => (await stat(state).catch(() => null)) !== null
  await kill(file, words, isUnderWay)
  const known = Object.keys(JSON.parse(await readFile(state, 'utf8')).items).length
  assert.ok(known >= 25 && known < count, `${known} were done`)

  const { exitCode, json } = await run(file, words)
  assert.equal(exitCode, 0)
  const { added, unchanged, failed, deleted } = json.counts
  assert.deepEqual([added, unchanged, failed, deleted], [count - known, known, 0, 0])
  assert.equal(
    (await atrium.knowledge.documents.list({ collectionId: json.collectionId }).page()).total,
    count,
  )
})

/** Lists what a file says; an item without a text fails. */
const feedConnector = `
import { readFile } from 'node:fs/promises'
export default {
  id: 'feed', name: 'Feed', description: 'A file.', category: 'custom', documentationUrl: null,
  auth: [{ kind: 'none' }], origins: () => [], check: async () => ({ id: '1', name: 'Nadia' }),
  configSchema: { type: 'object', properties: { feed: { type: 'string' } }, required: ['feed'] },
  source: {
    removals: 'told',
    list: async ({ config }, { since }) => {
      const { items, removed, since: next, expects = since, startOver } = JSON.parse(await readFile(config.feed, 'utf8'))
      if (since !== expects) throw new Error('since is ' + since)
      if (startOver && since !== null) return { items: [], nextPage: null, startOver }
      return { items, removed, nextPage: null, since: next }
    },
    fetch: async (_context, { id, data: { text, delayMs = 0 } }) => {
      await new Promise(resolve => setTimeout(resolve, delayMs))
      if (text === null) throw new Error(id + ' has no text')
      return { body: text, fileName: id + '.txt', mediaType: 'text/plain' }
    },
  },
}
`

/** Holds the texts of a file, and lists all but the `unlisted` ones. */
const unsureConnector = `
import { readFile } from 'node:fs/promises'
const texts = async ({ config }) => JSON.parse(await readFile(config.feed, 'utf8'))
export default {
  id: 'unsure', name: 'Unsure', description: 'A file.', category: 'custom', documentationUrl: null,
  auth: [{ kind: 'none' }], origins: () => [], check: async () => ({ id: '1', name: 'Nadia' }),
  configSchema: { type: 'object', properties: { feed: { type: 'string' } }, required: ['feed'] },
  source: {
    removals: 'asked',
    list: async context => {
      const { unlisted = [], ...held } = await texts(context)
      const listed = Object.keys(held).filter(id => !unlisted.includes(id))
      return { items: listed.map(id => ({ id, version: '1' })), nextPage: null }
    },
    fetch: async (context, { id }) => {
      const text = (await texts(context))[id]
      return text === undefined ? null : { body: text, fileName: id + '.txt', mediaType: 'text/plain' }
    },
  },
}
`

async function prepare(t: TestContext) {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const { key } = await installation.atriumJson([
    ...'key create --workspace acme --env live --name ci --permissions all'.split(' '),
  ])
  const server = await installation.startServer()
  return {
    atrium: new Atrium({ apiKey: key, baseUrl: server.origin }),
    path: (name: string) => join(installation.dataDir, name),
    /** Runs it in a process of its own, until it is time to end that as a power cut would. */
    async kill(file: string, words: readonly string[], isTime: () => Promise<boolean>) {
      const all = ['connector', 'run', file, '--key', key, '--url', server.origin, ...words]
      const env = installation.environment
      const child = spawn(process.execPath, [join(import.meta.dirname, 'main.js'), ...all], { env })
      const ended = once(child, 'close')
      while (!(await isTime()) && child.exitCode === null) await sleep(50)
      child.kill('SIGKILL')
      await ended
    },
    async run(file: string, words: readonly string[]) {
      const { exitCode, stdout } = await installation.atriumHere([
        ...['connector', 'run', file, '--key', key, '--url', server.origin, ...words, '--json'],
      ])
      return { exitCode, json: JSON.parse(stdout) }
    },
  }
}
