import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pdfOf } from '../../../../testing/knowledge/sample-files.ts'
import { createParser } from '../parser.ts'
import { withoutNetwork } from './no-network.ts'

const skip = withoutNetwork().length > 0 ? false : 'the system makes no network namespace'

test('a process that reads files is in a network of its own', { skip }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-network-'))
  const parser = createParser({ folder: join(folder, 'children') })
  t.after(() => {
    parser.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const path = join(folder, 'a.pdf')
  writeFileSync(path, pdfOf('A page.'))
  const networkOf = (pid: number | string) => readlinkSync(`/proc/${pid}/ns/net`)
  const foreign = await parser.parse({
    path,
    name: 'a.pdf',
    environment: 'live',
    owner: 'workspace',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    use: async () => readers().map(pid => networkOf(pid) !== networkOf('self')),
  })
  assert.deepEqual(foreign, [true])
})

test('a program in a network of its own reaches no server of this machine', { skip }, async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  const connect = `require('node:net').connect(${port}, '127.0.0.1').on('error', error => console.log(error.code)).on('connect', () => process.exit(1))`
  const [command = '', ...words] = withoutNetwork()
  const { stdout } = spawnSync(command, [...words, process.execPath, '-e', connect], { encoding: 'utf8' })
  assert.equal(stdout.trim(), 'ENETUNREACH')
})

const readers = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(
      pid => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parsing/children/child.ts'),
    )
