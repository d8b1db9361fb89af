import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectDrive } from '../testing/drive.ts'

test('with chosen folders only what lies in them is synced, at any depth, of shared drives too', async t => {
  const { mirror, names } = await connectDrive(t, drive => {
    const chosen = drive.putFolder('chosen')
    drive.put({ name: 'outside.txt' })
    drive.put({ name: 'top.txt', parent: chosen })
    const b = drive.putFolder('b', drive.putFolder('a', chosen))
    drive.put({ name: 'deep.txt', parent: b })
    drive.put({ name: 'beside.txt', parent: drive.putFolder('c', chosen) })
    drive.addDrive('0ATeamDrive')
    drive.put({ name: 'team.txt', parent: drive.putFolder('t', '0ATeamDrive') })
    drive.addDrive('0AOtherDrive')
    drive.put({ name: 'other.txt', parent: '0AOtherDrive' })
    return [chosen, '0ATeamDrive']
  })
  await mirror.sync()
  assert.deepEqual(names(), ['beside.txt', 'deep.txt', 'team.txt', 'top.txt'])
})

test('a wide and deep tree is walked without a gap, whatever the size of a page', async t => {
  const { peer, mirror, names } = await connectDrive(t, drive => {
    const grow = (parent: string, depth: number) => {
      for (const name of ['x', 'y', 'z']) {
        const folder = drive.putFolder(name, parent)
        drive.put({ name: `${folder}.txt`, parent: folder })
        if (depth > 1) grow(folder, depth - 1)
      }
    }
    const chosen = drive.putFolder('chosen')
    grow(chosen, 3)
    return [chosen]
  })
  peer.rowsPerPage = 2
  await mirror.sync()
  assert.equal(names().length, 39)
})

test('what moves into a chosen folder is added, and what moves out is deleted, folders with all they hold', async t => {
  let chosen = ''
  const { drive, mirror, names } = await connectDrive(t, drive => {
    chosen = drive.putFolder('chosen')
    return [chosen]
  })
  const file = drive.put({ name: 'file.txt' })
  const folder = drive.putFolder('folder')
  drive.put({ name: 'held.txt', parent: folder })
  await mirror.sync()
  assert.deepEqual(names(), [])
  drive.edit(file, { parents: [chosen] })
  assert.equal((await mirror.sync()).added, 1)
  drive.edit(folder, { parents: [chosen] })
  await mirror.sync()
  assert.deepEqual(names(), ['file.txt', 'held.txt'])
  drive.edit(file, { parents: [drive.rootId] })
  assert.equal((await mirror.sync()).deleted, 1)
  drive.edit(folder, { parents: [drive.rootId] })
  await mirror.sync()
  assert.deepEqual(names(), [])
})

test('changes elsewhere in the drive fetch nothing and list nothing again', async t => {
  const { peer, drive, mirror } = await connectDrive(t, drive => {
    const chosen = drive.putFolder('chosen')
    drive.put({ name: 'in.txt', parent: chosen })
    return [chosen]
  })
  await mirror.sync()
  const elsewhere = drive.put({ name: 'elsewhere.txt' })
  peer.requests.length = 0
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  assert.ok(!mirror.documents.has(elsewhere))
  assert.ok(!peer.requests.some(({ path }) => path === '/drive/v3/files'))
})

test('a shortcut in a chosen folder stands for its target, which is followed when it changes', async t => {
  let chosen = ''
  let target = ''
  const { drive, mirror, names } = await connectDrive(t, drive => {
    chosen = drive.putFolder('chosen')
    target = drive.put({ name: 'target.txt', content: 'one', parent: drive.putFolder('far away') })
    drive.putShortcut(target, chosen)
    return [chosen]
  })
  await mirror.sync()
  assert.deepEqual(names(), ['target.txt'])
  drive.edit(target, { content: 'two' })
  assert.equal((await mirror.sync()).changed, 1)
  assert.equal(mirror.documents.get(target)?.text, 'two')
  for (let i = 0; i < 30; i++) drive.putShortcut(drive.put({ name: `${i}.txt`, content: 'old' }), chosen)
  await mirror.sync()
  assert.equal(names().length, 31)
  const late = [...drive.files.values()].find(file => file.name === '29.txt')?.id ?? ''
  drive.edit(late, { content: 'new' })
  await mirror.sync()
  assert.equal(mirror.documents.get(late)?.text, 'new')
  drive.erase(target)
  await mirror.sync()
  assert.equal(names().length, 30)
})

test('a chosen folder that is gone ends the sync instead of emptying the collection', async t => {
  let chosen = ''
  const { drive, mirror } = await connectDrive(t, drive => {
    chosen = drive.putFolder('chosen')
    drive.put({ name: 'in.txt', parent: chosen })
    return [chosen]
  })
  await mirror.sync()
  drive.trash(chosen)
  await assert.rejects(mirror.sync({ full: true }), /folder .+ of folderIds is not there/)
  await assert.rejects(mirror.sync(), /folder .+ of folderIds is not there/)
  assert.equal(mirror.documents.size, 1)
})

test('other folders lead to a listing of everything', async t => {
  const { context, drive, mirror } = await connectDrive(t)
  const chosen = drive.putFolder('chosen')
  drive.put({ name: 'in.txt', parent: chosen })
  drive.put({ name: 'out.txt' })
  await mirror.sync()
  context.config.folderIds = [chosen]
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 1, deleted: 1, failed: 0 })
})

test('`root` stands for all of My Drive, without the shared ones', async t => {
  const { drive, mirror, names } = await connectDrive(t, () => ['root'])
  drive.put({ name: 'mine.txt', parent: drive.putFolder('a') })
  drive.addDrive('0ATeamDrive')
  drive.put({ name: 'team.txt', parent: '0ATeamDrive' })
  await mirror.sync()
  assert.deepEqual(names(), ['mine.txt'])
  drive.put({ name: 'also mine.txt' })
  assert.equal((await mirror.sync()).added, 1)
})
