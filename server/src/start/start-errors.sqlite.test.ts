/** What stops a start is told in one line, with the path or the address, the cause and the remedy. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { databaseUnavailable } from '../platform/errors.ts'
import { createInstallation } from '../testing/operator.ts'
import { createLaunches } from '../testing/servers/launches.ts'
import { clearFileFault } from './data-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-faults-'))
const launches = createLaunches()
after(() => {
  launches.endAll()
  rmSync(folder, { recursive: true, force: true })
})

/** The line of a start that is refused. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const { child, err } = launches.launch([process.execPath, join(import.meta.dirname, '../main.js')], {
    env: { PATH: process.env.PATH, ATRIUM_PORT: '0', ATRIUM_LOG_LEVEL: 'error', ...settings },
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 1, err())
  const [line = '', ...more] = err().split('\n')
  assert.deepEqual(more, [''], `more than one line: ${err()}`)
  assert.ok(line.startsWith('atrium: '), line)
  return line.slice('atrium: '.length)
}

const remedy = 'choose another folder with ATRIUM_DATA_DIR'
const inFolder = (name: string): string => join(folder, name)

test('a data folder that is a file, lies below one, or is a link to nothing is named', async () => {
  writeFileSync(inFolder('file'), '')
  symlinkSync(inFolder('nowhere'), inFolder('link'))
  const isFile = `${inFolder('file')} is a file, not a folder: ${remedy}`
  assert.equal(await refusal({ ATRIUM_DATA_DIR: inFolder('file') }), isFile)
  assert.equal(await refusal({ ATRIUM_DATA_DIR: inFolder('file/below/it') }), isFile)
  assert.equal(
    await refusal({ ATRIUM_DATA_DIR: inFolder('link') }),
    `${inFolder('link')} is a link to nothing: ${remedy}`,
  )
})

const linux = { skip: process.platform !== 'linux' && 'only Linux has /proc' }

test('a place that takes no folders ends the start', linux, async () => {
  const line = await refusal({ ATRIUM_DATA_DIR: '/proc/x' })
  assert.ok(line.startsWith('/proc/x cannot be ') && line.endsWith(remedy), line)
})

test('an address of another machine and an unknown host name are told with the addresses of this one', async () => {
  const settings = { ATRIUM_DATA_DIR: inFolder('never') }
  assert.match(
    await refusal({ ...settings, ATRIUM_HOST: '192.0.2.1' }),
    /^192\.0\.2\.1 is no address of this machine: set ATRIUM_HOST to one of .*127\.0\.0\.1/,
  )
  assert.match(
    await refusal({ ...settings, ATRIUM_HOST: 'http://host' }),
    /^"http:\/\/host" is neither an address nor a known host name: set ATRIUM_HOST to one of/,
  )
  assert.ok(!readdirSync(folder).includes('never'))
})

test('a taken port says whether an Atrium server holds it, and on which data folder', async t => {
  const installation = await createInstallation(t, { engine: 'sqlite' })
  const server = await installation.startServer()
  const { port } = new URL(server.origin)
  const other = { ATRIUM_PORT: port, ATRIUM_DATA_DIR: inFolder('never') }
  assert.match(await refusal(other), /^Port \d+ of 127\.0\.0\.1 is taken by another Atrium server/)
  const same = await refusal({ ...other, ATRIUM_DATA_DIR: installation.dataDir })
  const place = `the data folder ${installation.dataDir} (process ${server.pid} at ${server.origin})`
  assert.ok(same.includes(`the Atrium server that runs on ${place}`), same)
  assert.ok(!readdirSync(folder).includes('never'))
})

test('a taken port of the probes names its own setting', async t => {
  const holder = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(holder, 'listening')
  t.after(() => void holder.close())
  const { port } = holder.address() as AddressInfo
  const line = await refusal({ ATRIUM_DATA_DIR: inFolder('never'), ATRIUM_INTERNAL_PORT: String(port) })
  assert.match(
    line,
    /is taken by another program.*: stop it, or choose another port with ATRIUM_INTERNAL_PORT$/,
  )
  assert.ok(!readdirSync(folder).includes('never'))
})

test('a data folder of a newer version, without its secret, or with a damaged database says so', async t => {
  const installation = await createInstallation(t, { engine: 'sqlite' })
  await (await installation.startServer()).stop()
  const { dataDir } = installation
  const file = join(dataDir, 'atrium.db')
  const secret = join(dataDir, 'secret')
  const settings = { ATRIUM_DATA_DIR: dataDir }
  rmSync(secret)
  const missing = new RegExp(`^${secret}, the master secret of the database, is missing: put the file back`)
  assert.match(await refusal(settings), missing)
  assert.ok(!existsSync(secret))
  writeFileSync(secret, '')
  assert.match(
    await refusal(settings),
    new RegExp(`^${secret} holds no master secret, .*: put the file back`),
  )
  const database = new DatabaseSync(file)
  database.exec("INSERT INTO schema_migrations VALUES (999, 'of the future', 1)")
  database.close()
  assert.match(
    await refusal(settings),
    new RegExp(`^The database ${file} is at schema 999, but .*: start a newer`),
  )
  writeFileSync(join(dataDir, 'server.lock'), 'no lock')
  assert.equal(
    await refusal({ ...settings, ATRIUM_SECRET: 'x'.repeat(40) }),
    `${join(dataDir, 'server.lock')} is not a lock file of Atrium: delete it, for it holds no data`,
  )
  rmSync(join(dataDir, 'server.lock'))
  writeFileSync(file, 'no database '.repeat(1_000))
  const withSecret = { ...settings, ATRIUM_SECRET: 'a secret that only tests have, of enough characters' }
  assert.match(await refusal(withSecret), new RegExp(`^${file} is damaged \\(.*\\): restore a backup`))
})

test('a full disk is told as such, however SQLite reports it', async () => {
  mkdirSync(inFolder('full'))
  const database = new DatabaseSync(join(inFolder('full'), 'atrium.db'))
  database.exec('CREATE TABLE a (b); PRAGMA max_page_count = 2')
  const full = await Promise.resolve()
    .then(() => database.exec(`INSERT INTO a VALUES ('${'x'.repeat(100_000)}')`))
    .catch((error: Error) => error)
  database.close()
  const fault = await clearFileFault(databaseUnavailable('SQLite cannot write', full), inFolder('full'))
  assert.ok(fault instanceof Error)
  assert.equal(
    fault.message,
    `${inFolder('full')} cannot be written, since its disk or quota is full: free space, or ${remedy}`,
  )
})
