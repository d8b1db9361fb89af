/** The program of `clients/go`: OpenAI's package and readers of event streams, compiled by the Go of the machine. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must, needs } from '../packages.ts'
import { type Part, Skipped, type Work } from '../part.ts'
import { runProgram } from './python.ts'
import type { Tried } from './server.ts'

export const goPart = (tried: () => Tried): Part => ({
  name: 'go openai-go, r3labs/sse, go-sse',
  isLong: true,
  run: async work => runProgram(work, [join(await compiled(work), 'program')], tried()),
})

async function compiled(work: Work): Promise<string> {
  await needsGo(work)
  const source = join(work.root, 'clients/go')
  const files = ['main.go', 'go.mod', 'go.sum'].map(name => readFile(join(source, name), 'utf8'))
  return installed(work, 'go', await Promise.all(files), async into => {
    await cp(source, into, { recursive: true })
    await fetched(work, ['go', 'mod', 'download'], into, goEnvironment)
    await must(work, ['go', 'build', '-o', 'program', '.'], into, goEnvironment)
  })
}

/** The Go of the machine, and no other that it would fetch for itself. */
export const goEnvironment = { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' }

export async function needsGo(work: Work): Promise<void> {
  const found = await needs(work, ['go', 'version'])
  const [, minor] = /go1\.(\d+)/.exec(found) ?? []
  if (Number(minor) < 24) throw new Skipped(`${found}, and the generators need Go 1.24`)
}
