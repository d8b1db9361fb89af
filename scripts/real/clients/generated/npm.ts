/** Clients in TypeScript, of generators of npm: generated, compiled strictly, and run. */
import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must } from '../../packages.ts'
import type { Outcome, Work } from '../../part.ts'
import { runProgram } from '../python.ts'
import type { Tried } from '../server.ts'
import { document, documentPath, programs } from './generator.ts'

export const runHeyApi = async (work: Work, tried: Tried): Promise<Outcome> =>
  run(work, tried, 'use-hey-api.js')

export const runOpenapiFetch = async (work: Work, tried: Tried): Promise<Outcome> =>
  run(work, tried, 'use-openapi-fetch.js')

const run = async (work: Work, tried: Tried, file: string): Promise<Outcome> =>
  runProgram(work, ['node', join(await compiled(work), 'dist', file)], tried)

/** Both parts want it at the same time. */
const compiling = new Map<string, Promise<string>>()

function compiled(work: Work): Promise<string> {
  const begun = compiling.get(work.folder) ?? compile(work)
  compiling.set(work.folder, begun)
  return begun
}

/** One run of the compiler for both clients, because most of its time goes into what they share. */
async function compile(work: Work): Promise<string> {
  const source = join(work.root, programs, 'npm')
  const names = (await readdir(source)).filter(name => name !== 'node_modules')
  const texts = await Promise.all(names.map(name => readFile(join(source, name), 'utf8')))
  return installed(work, 'generated-npm', [texts, await document(work)], async into => {
    for (const name of names) await cp(join(source, name), join(into, name))
    await fetched(work, ['npm', 'ci', '--no-audit', '--no-fund'], into)
    const bin = join(into, 'node_modules/.bin')
    await must(work, [join(bin, 'openapi-ts'), '-i', documentPath(work), '-o', 'hey-api'], into)
    const types = ['-o', 'openapi-typescript.d.ts']
    await must(work, [join(bin, 'openapi-typescript'), documentPath(work), ...types], into)
    await must(work, [join(bin, 'tsc'), '-p', '.'], into)
  })
}
