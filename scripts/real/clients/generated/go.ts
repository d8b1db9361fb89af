/** Clients in Go, of oapi-codegen and of openapi-generator. */
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must } from '../../packages.ts'
import type { Outcome, Work } from '../../part.ts'
import { goEnvironment, needsGo } from '../go.ts'
import { runProgram } from '../python.ts'
import type { Tried } from '../server.ts'
import { document, documentPath, openapiGenerator, programs, readTools } from './generator.ts'

export const runOapiCodegen = async (work: Work, tried: Tried): Promise<Outcome> =>
  runProgram(work, [await oapiCodegen(work)], tried)

export const runOpenapiGeneratorGo = async (work: Work, tried: Tried): Promise<Outcome> =>
  runProgram(work, [await openapiGeneratorGo(work)], tried)

async function oapiCodegen(work: Work): Promise<string> {
  await needsGo(work)
  const version = (await readTools(work))['oapi-codegen']
  return built(work, 'oapi-codegen', [version, await document(work)], async into => {
    const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`
    await fetched(work, ['go', 'install', tool], into, { GOBIN: join(into, 'bin'), GOTOOLCHAIN: 'local' })
    const options = ['-generate', 'types,client', '-package', 'atrium', '-o', 'atrium/client.go']
    await must(work, [join(into, 'bin/oapi-codegen'), ...options, documentPath(work)], into)
  })
}

async function openapiGeneratorGo(work: Work): Promise<string> {
  await needsGo(work)
  const generated = await openapiGenerator(work, 'go', ['--additional-properties', 'packageName=atrium'])
  return built(work, 'openapi-generator-go', generated, async into => {
    for (const file of await readdir(generated))
      if (file.endsWith('.go')) await cp(join(generated, file), join(into, 'atrium', file))
  })
}

/** The program of the folder `name`, built with the package `atrium`, which `generate` writes; answers its path. */
async function built(
  work: Work,
  name: string,
  asked: unknown,
  generate: (into: string) => Promise<void>,
): Promise<string> {
  const source = join(work.root, programs, name)
  const sourceText = await readFile(join(source, 'main.go'), 'utf8')
  const folder = await installed(work, `go-${name}`, [sourceText, asked], async into => {
    await cp(source, into, { recursive: true })
    await mkdir(join(into, 'atrium'))
    await generate(into)
    await fetched(work, ['go', 'mod', 'tidy'], into, goEnvironment)
    await must(work, ['go', 'build', '-o', 'story', '.'], into, goEnvironment)
  })
  return join(folder, 'story')
}
