import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectDrive, type DriveConnection } from '../testing/drive.ts'
import { tools } from './tools.ts'

/** Goes through JSON, as what a model reads does. */
async function call({ context }: DriveConnection, name: string, input: Record<string, unknown>) {
  const tool = tools.find(candidate => candidate.name === name)
  assert.ok(tool)
  return JSON.parse(JSON.stringify(await tool.run(context, input)))
}

const namesOf = ({ files }: { files: { name: string }[] }) => files.map(({ name }) => name)

test('files are found by their words, also where those need quotes, and read as text', async t => {
  const connection = await connectDrive(t)
  const { drive } = connection
  const id = drive.putGoogleFile('document', {
    name: "Ada's \\ notes",
    exports: { 'text/plain': 'The engine weaves patterns.' },
  })
  drive.put({ name: 'other.txt', content: 'Nothing of the kind' })
  const found = await call(connection, 'search_files', { query: "ada's \\ notes" })
  assert.deepEqual(found.files, [
    {
      id,
      name: "Ada's \\ notes",
      mediaType: 'application/vnd.google-apps.document',
      modifiedAt: drive.files.get(id)?.modifiedTime,
      url: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
      owner: 'ada@example.com',
    },
  ])
  const read = await call(connection, 'read_file', { fileId: id })
  assert.equal(read.text, 'The engine weaves patterns.')
})

test('a query cannot break out of its quotes', async t => {
  const connection = await connectDrive(t)
  connection.drive.put({ name: 'secret.txt', content: 'x' })
  const query = "zzz' or trashed = false or name contains '"
  assert.deepEqual(namesOf(await call(connection, 'search_files', { query })), [])
})

test('the files of a folder are listed', async t => {
  const connection = await connectDrive(t)
  const { drive } = connection
  const folder = drive.putFolder('Plans')
  drive.put({ name: 'in.txt', parent: folder })
  assert.deepEqual(namesOf(await call(connection, 'list_folder', { folderId: folder })), ['in.txt'])
  assert.deepEqual(namesOf(await call(connection, 'list_folder', { folderId: 'root' })), ['Plans'])
})

test('where folders were chosen, tools reach nothing outside of them', async t => {
  let inside = ''
  let outside = ''
  const connection = await connectDrive(t, drive => {
    const chosen = drive.putFolder('chosen')
    inside = drive.put({ name: 'inside.txt', content: 'words', parent: chosen })
    outside = drive.put({ name: 'outside.txt', content: 'words' })
    return [chosen]
  })
  assert.deepEqual(namesOf(await call(connection, 'search_files', { query: 'words' })), ['inside.txt'])
  assert.equal((await call(connection, 'read_file', { fileId: inside })).text, 'words')
  await assert.rejects(call(connection, 'read_file', { fileId: outside }), /does not reach it/)
  assert.deepEqual(namesOf(await call(connection, 'list_folder', { folderId: 'root' })), [])
})

test('what is not there, and what is no text, is said in words that a model can use', async t => {
  const connection = await connectDrive(t)
  const pdf = connection.drive.put({ name: 'a.pdf', mimeType: 'application/pdf' })
  await assert.rejects(call(connection, 'read_file', { fileId: '../about' }), /no such file/)
  await assert.rejects(call(connection, 'read_file', { fileId: pdf }), /search the knowledge/)
})
