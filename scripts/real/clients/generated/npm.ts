/** Clients in TypeScript, of generators of npm: generated, compiled strictly, and run. */
import { cp, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must } from '../../packages.ts'
import type { Outcome, Work } from '../../part.ts'
import { runProgram } from '../python.ts'
import type { Tried } from '../server.ts'
import { document, documentPath, openapiGenerator, programs } from './generator.ts'

export const runHeyApi = async (work: Work, tried: Tried): Promise<Outcome> =>
  run(work, tried, 'use-hey-api.js')

export const runOpenapiFetch = async (work: Work, tried: Tried): Promise<Outcome> =>
  run(work, tried, 'use-openapi-fetch.js')

export const runOpenapiGeneratorTypescript = async (work: Work, tried: Tried): Promise<Outcome> =>
  runProgram(
    work,
    ['node', join(await openapiGeneratorTypescript(work), 'dist/use-openapi-generator.js')],
    tried,
  )

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
  const names = (await readdir(join(work.root, programs, 'npm'))).filter(
    name => name !== 'node_modules' && name !== ofJava,
  )
  const texts = await textsOf(work, names)
  return installed(work, 'generated-npm', [texts, await document(work)], async into => {
    await copy(work, names, into)
    await fetched(work, ['npm', 'ci', '--no-audit', '--no-fund'], into)
    const bin = join(into, 'node_modules/.bin')
    await must(work, [join(bin, 'openapi-ts'), '-i', documentPath(work), '-o', 'hey-api'], into)
    const types = ['-o', 'openapi-typescript.d.ts']
    await must(work, [join(bin, 'openapi-typescript'), documentPath(work), ...types], into)
    await must(work, [join(bin, 'tsc'), '-p', '.'], into)
  })
}

/** The program of the generator that needs Java, which the others go without. */
const ofJava = 'use-openapi-generator.ts'

/** With the packages of the other clients. */
async function openapiGeneratorTypescript(work: Work): Promise<string> {
  const options = ['--additional-properties', 'importFileExtension=.js']
  const generated = await openapiGenerator(work, 'typescript-fetch', options)
  const others = await compiled(work)
  const names = [ofJava, 'story.ts', 'package.json', 'tsconfig.json']
  const asked = [generated, others, await textsOf(work, names)]
  return installed(work, 'generated-npm-java', asked, async into => {
    await copy(work, names, into)
    await cp(generated, join(into, 'openapi-generator'), { recursive: true })
    await symlink(join(others, 'node_modules'), join(into, 'node_modules'))
    await must(work, [join(into, 'node_modules/.bin/tsc'), '-p', '.'], into)
  })
}

const textsOf = ({ root }: Work, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map(name => readFile(join(root, programs, 'npm', name), 'utf8')))

async function copy({ root }: Work, names: readonly string[], into: string): Promise<void> {
  for (const name of names) await cp(join(root, programs, 'npm', name), join(into, name))
}
