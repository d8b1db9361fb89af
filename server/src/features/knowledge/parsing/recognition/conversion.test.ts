import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findContainer } from '../children/find-container.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'
import { createParser } from '../parser.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-conversion-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Known as a recording by its first bytes. */
const recording = Buffer.from('OggS and what else there is')

/** Reads the file with the program whose source this is; its words are the file and the folder of its result. */
async function read(program: string, { content = recording, timeoutMs = 20_000 } = {}): Promise<string> {
  const script = join(folder, 'program.cjs')
  const path = join(folder, 'file')
  writeFileSync(script, `const fs = require('node:fs'); const [, , file, out] = process.argv;${program}`)
  writeFileSync(path, content)
  const parser = createParser({
    folder: join(folder, 'children'),
    converter: { command: [process.execPath, script, '{file}', '{folder}'], timeoutMs },
  })
  try {
    return await parser.parse({
      path,
      name: 'talk.ogg',
      environment: 'live',
      owner: 'workspace',
      signal: new AbortController().signal,
      onProgress: () => undefined,
      use: async ({ chunks }) =>
        (await Array.fromAsync(chunks))
          .flat()
          .map(({ text, gap }) => text + gap)
          .join(''),
    })
  } finally {
    parser.close()
  }
}

const failsAs = (code: ParseFailureCode) => (error: unknown) => {
  assert.ok(error instanceof ParseFailure, `${error}`)
  assert.equal(error.code, code)
  return true
}

test('what the program prints is the text of the file', async () => {
  const text = await read(
    `process.stdout.write('Heard: ' + fs.readFileSync(file, 'utf8').slice(0, 4) + file.slice(-4))`,
  )
  assert.equal(text, 'Heard: OggS.ogg')
})

test('the file that the program leaves is read by its own format', async () => {
  const text = await read(
    `console.log('done'); fs.writeFileSync(out + '/a.html', '<h1>Talk</h1><p>One &amp; two')`,
  )
  assert.equal(text, 'Talk\n\nOne & two')
})

test('a program that fails, leaves nothing, several files or what is not read ends as conversion_failed', async () => {
  const programs = [
    'process.exit(3)',
    '',
    `fs.writeFileSync(out + '/a.txt', 'a'); fs.writeFileSync(out + '/b.txt', 'b')`,
    `fs.copyFileSync(file, out + '/again.ogg')`,
  ]
  for (const program of programs) await assert.rejects(read(program), failsAs('conversion_failed'), program)
})

test('a link in place of a result leads nowhere', async () => {
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'A secret of the server.')
  await assert.rejects(
    read(`fs.symlinkSync(${JSON.stringify(secret)}, out + '/a.txt')`),
    failsAs('conversion_failed'),
  )
})

test('a program that takes too long, or fills the disk, is ended', async () => {
  await assert.rejects(read('setInterval(() => {}, 1000)', { timeoutMs: 500 }), failsAs('parsing_timeout'))
  const filling = `fs.truncateSync(fs.openSync(out + '/a.bin', 'w'), 300 * 1024 * 1024); setInterval(() => {}, 1000)`
  await assert.rejects(read(filling), failsAs('conversion_failed'))
})

test('the program sees nothing of the surroundings of the server, works in a folder of its own, and leaves nothing', async () => {
  const text = await read(
    `fs.writeFileSync('draft', 'x'); process.stdout.write(Object.keys(process.env).sort().join(' ') + ' ' + (process.env.HOME === process.cwd()))`,
  )
  assert.equal(text, 'HOME LANG PATH TMPDIR true')
  assert.deepEqual(
    readdirSync(join(folder, 'children')).filter(name => name.startsWith('convert-')),
    [],
  )
})

test('the program sees none of the documents and secrets of the server, and no other process', async () => {
  const { has } = await findContainer(join(folder, 'children'), { mode: 'auto', log: null })
  if (!has.has('files')) return console.log('this machine makes no mounts for a process')
  const secret = join(folder, 'children', 'secret')
  mkdirSync(join(folder, 'children'), { recursive: true })
  writeFileSync(secret, 'A secret of the server.')
  const text = await read(
    `const seen = path => { try { return fs.readFileSync(path).length > 0 } catch (error) { return error.code } }
     process.stdout.write([${JSON.stringify(secret)}, '/proc/${process.pid}/environ'].map(seen).join(' ') + ' ' + fs.readdirSync('..').sort())`,
  )
  assert.equal(text, 'ENOENT ENOENT in,mounts,out,work')
})

test('a file that a reader reads never comes to the program', async () => {
  assert.equal(await read('process.exit(1)', { content: Buffer.from('Words.') }), 'Words.')
})
