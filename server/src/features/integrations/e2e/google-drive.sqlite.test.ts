import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type IntegrationApp, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { askAbout, syncAndWait, syncedDocuments } from '../../../testing/apps/synced.ts'
import { search } from '../../../testing/knowledge/knowledge.ts'
import { docxOf, docxParagraph } from '../../../testing/knowledge/sample-files.ts'
import { type DrivePeer, startDrivePeer } from '../../../testing/peers/google-drive.ts'
import type { DriveStore } from '../../../testing/peers/google-drive-store.ts'
import { interruptTimes, tooManyRequests } from '../../../testing/peers/loopback-peer.ts'

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const wordFile = (text: string) => docxOf(docxParagraph(text))

/** A drive that knows only the tokens that the authorization server has given out. */
async function start(t: TestContext): Promise<IntegrationApp & { peer: DrivePeer; drive: DriveStore }> {
  const peer = await startDrivePeer(t)
  const setting = await startIntegrationApp(t, {
    routes: oauth => {
      peer.accepts = token => oauth.issued.includes(token) && !oauth.revoked.includes(token)
      return { 'https://www.googleapis.com': peer.origin }
    },
  })
  return { ...setting, peer, drive: peer.drive }
}

test('a drive becomes knowledge: connected, synced, changed, synced again, found and cited', async t => {
  const { app, connected, drive } = await start(t)
  drive.addDrive('0ATeamDrive')
  const geese = drive.putGoogleFile('document', {
    name: 'Geese',
    exports: { [docx]: wordFile('Geese pay two euros a day at the gate.') },
  })
  const ducks = drive.put({
    name: 'ducks.md',
    mimeType: 'text/markdown',
    content: 'Ducks may enter freely, from dawn to dusk.',
    permissions: [{ id: '3', type: 'domain', role: 'reader', domain: 'example.com' }],
  })
  const swans = drive.put({
    name: 'swans.txt',
    content: 'Swans need a permission of the mayor.',
    parent: '0ATeamDrive',
  })
  const id = await connected('google-drive')
  const connection = await app.request('GET', `/integrations/${id}`)
  assert.equal(connection.body.data.account.name, 'ada@example.com')

  const first = await syncAndWait(app, id)
  assert.deepEqual([first.status, first.error], ['succeeded', null])
  assert.deepEqual(first.counts, { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const documents = await syncedDocuments(app, first.collectionId)
  assert.deepEqual([...documents.keys()].sort(), [geese, ducks, swans].sort())
  assert.deepEqual([documents.get(geese).title, documents.get(geese).mediaType], ['Geese', docx])
  const { source, connectionId, readers, author } = documents.get(ducks).metadata
  assert.deepEqual([source, connectionId, author], ['google-drive', id, 'ada@example.com'])
  assert.deepEqual(readers, ['domain:example.com'])
  const answer = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.deepEqual(answer.cited, [documents.get(geese).id])
  assert.match(answer.output, /two euros/)

  drive.edit(geese, { exports: { [docx]: wordFile('Geese pay five euros a day at the gate.') } })
  drive.trash(swans)
  drive.put({ name: 'herons.txt', content: 'Herons stand at the edge of the pond.' })
  const second = await syncAndWait(app, id)
  assert.deepEqual(second.counts, { added: 1, changed: 1, unchanged: 0, deleted: 1, failed: 0 })
  const later = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.match(later.output, /five euros/)
  assert.equal((await search(app, 'herons edge')).length, 1)
  assert.deepEqual(await search(app, 'swans permission mayor'), [])
})

test('who may read a file in Drive narrows a search', async t => {
  const { app, connected, drive } = await start(t)
  const text = { mimeType: 'text/plain', content: 'The heron stands at the pond.' }
  const open = drive.put({
    name: 'open.txt',
    ...text,
    permissions: [{ id: '4', type: 'anyone', role: 'reader' }],
  })
  drive.put({ name: 'closed.txt', ...text })
  const { collectionId } = await syncAndWait(app, await connected('google-drive'))
  const documents = await syncedDocuments(app, collectionId)
  const { body } = await app.request('GET', '/knowledge/search', {
    query: {
      query: 'heron',
      filter: JSON.stringify({ field: 'readers', op: 'contains', value: 'everyone' }),
    },
  })
  assert.deepEqual(
    body.data.map(({ documentId }: { documentId: string }) => documentId),
    [documents.get(open).id],
  )
})

test('with chosen folders nothing else comes in, and one that is gone ends the sync without deleting', async t => {
  const { app, connected, drive } = await start(t)
  const chosen = drive.putFolder('Chosen')
  const inside = drive.put({ name: 'in.txt', content: 'Inside.', parent: drive.putFolder('deep', chosen) })
  drive.put({ name: 'out.txt', content: 'Outside.' })
  const id = await connected('google-drive', app.liveKey, { config: { folderIds: [chosen] } })
  const { collectionId } = await syncAndWait(app, id)
  assert.deepEqual([...(await syncedDocuments(app, collectionId)).keys()], [inside])
  drive.trash(chosen)
  const failed = await syncAndWait(app, id, { full: true })
  assert.equal(failed.status, 'failed')
  assert.match(failed.error?.message ?? '', /folder .+ of folderIds is not there/)
  assert.equal((await syncedDocuments(app, collectionId)).size, 1)
})

test('a drive that asks for patience is waited for, and a revoked grant says that it needs a new one', async t => {
  const { app, connected, drive, peer, oauth } = await start(t)
  drive.put({ name: 'ducks.txt', content: 'Ducks may enter.' })
  const id = await connected('google-drive')
  peer.interrupt = interruptTimes(1, tooManyRequests(1), ({ path }) => path === '/drive/v3/files')
  assert.equal((await syncAndWait(app, id)).counts.added, 1)
  drive.put({ name: 'geese.txt', content: 'Geese pay.' })
  oauth.revokeAllGrants()
  peer.accepts = () => false
  const failed = await syncAndWait(app, id)
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'needs_reauth'])
  const connection = await app.request('GET', `/integrations/${id}`)
  assert.equal(connection.body.data.status, 'needs_reauth')
  assert.equal((await syncedDocuments(app, failed.collectionId)).size, 1)
})

test('a list of files without an end ends the sync, and deletes nothing', async t => {
  const { app, connected, drive, peer } = await start(t)
  drive.put({ name: 'ducks.txt', content: 'Ducks may enter.' })
  const id = await connected('google-drive')
  const { collectionId } = await syncAndWait(app, id)
  peer.interrupt = ({ path }) =>
    path === '/drive/v3/files' ? { json: { files: [], nextPageToken: 'again' } } : null
  const failed = await syncAndWait(app, id, { full: true })
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'endless_paging'])
  assert.equal((await syncedDocuments(app, collectionId)).size, 1)
})
