/** What the generators of all languages share: the document, their versions, and openapi-generator itself. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must, needs } from '../../packages.ts'
import type { Work } from '../../part.ts'

/** The folder of the programs that take generated clients through the steps. */
export const programs = 'clients/generated'

type Tools = { 'oapi-codegen': string; 'openapi-generator': string }

export const readTools = async ({ root }: Work): Promise<Tools> =>
  JSON.parse(await readFile(join(root, programs, 'tools.json'), 'utf8'))

export const documentPath = ({ root }: Work): string => join(root, 'openapi.json')

/** What each generated client depends on. */
export const document = (work: Work): Promise<string> => readFile(documentPath(work), 'utf8')

/** Answers the folder of what was generated. */
export async function openapiGenerator(
  work: Work,
  language: string,
  options: readonly string[],
): Promise<string> {
  const jar = await openapiGeneratorJar(work)
  return installed(work, `oag-${language}`, [jar, sources, options, await document(work)], async into => {
    const words = ['generate', '-i', documentPath(work), '-g', language, '-o', into, ...sources, ...options]
    await must(work, ['java', '-jar', jar, ...words], into)
  })
}

/**
 * Without pages and tests. Without what the document says of events that a receiver gets, too: in Python the generator
 * writes their parameters without a type, which does not compile.
 */
const sources = [
  '--global-property',
  'apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false',
]

async function openapiGeneratorJar(work: Work): Promise<string> {
  await needs(work, ['java', '-version'])
  await needs(work, ['mvn', '--version'])
  const version = (await readTools(work))['openapi-generator']
  const name = `openapi-generator-cli-${version}.jar`
  const folder = await installed(work, 'openapi-generator', version, async into => {
    const artifact = `org.openapitools:openapi-generator-cli:${version}`
    const words = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${into}`]
    await fetched(work, ['mvn', ...words], into)
  })
  return join(folder, name)
}
