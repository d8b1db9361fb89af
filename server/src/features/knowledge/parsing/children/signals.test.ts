import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pdfOf } from '../../../../testing/knowledge/sample-files.ts'
import { ParseFailure } from '../failure.ts'
import { createParser } from '../parser.ts'
import { causeOfDeath, ReaderEnded } from './death.ts'

const skip = process.platform !== 'linux' && 'only Linux lists the children of a process'
const folder = mkdtempSync(join(tmpdir(), 'atrium-signals-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Reads a PDF of one page, with the signal sent to its reader before the first chunk is asked for. */
async function readUnder(signal: NodeJS.Signals): Promise<string> {
  const path = join(folder, 'a.pdf')
  writeFileSync(path, pdfOf('A page.'))
  const parser = createParser({ folder: join(folder, 'children') })
  try {
    return await parser.parse({
      path,
      name: 'a.pdf',
      environment: 'live',
      owner: 'workspace',
      signal: new AbortController().signal,
      onProgress: () => undefined,
      use: async ({ chunks }) => {
        for (const pid of readers()) process.kill(pid, signal)
        const all = (await Array.fromAsync(chunks)).flat()
        return all.map(({ text }) => text).join('')
      },
    })
  } finally {
    parser.close()
  }
}

/** Every process of every container. */
const readers = (of: number = process.pid): number[] =>
  readFileSync(`/proc/${of}/task/${of}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap(pid => [pid, ...readers(pid)])

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(
    `${signal} to a reader, as a service manager sends it to every process, costs no document`,
    {
      skip,
    },
    async () => assert.equal(await readUnder(signal), 'A page.'),
  )
}

test('a reader that something else kills fails no file, since another reader may read it', { skip }, () =>
  assert.rejects(readUnder('SIGKILL'), (error: unknown) => {
    assert.ok(error instanceof ReaderEnded, String(error))
    assert.equal(error.signal, 'SIGKILL')
    return true
  }),
)

test('a file is blamed only for deaths by its own memory, time or crash', () => {
  const blame = (code: number | null, signal: string | null, words = '') => {
    const cause = causeOfDeath(code, signal, words)
    return cause instanceof ParseFailure ? cause.code : cause.name
  }
  assert.equal(blame(null, 'SIGUSR2'), 'out_of_memory')
  assert.equal(blame(null, 'SIGABRT', 'FATAL ERROR: JavaScript heap out of memory'), 'out_of_memory')
  assert.equal(blame(null, 'SIGXCPU'), 'too_complex')
  assert.equal(blame(null, 'SIGSEGV'), 'parser_crashed')
  assert.equal(blame(1, null), 'parser_crashed')
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL'])
    assert.equal(blame(null, signal), 'ReaderEnded', signal)
})
