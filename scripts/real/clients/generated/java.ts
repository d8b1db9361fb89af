/** The client in Java, of openapi-generator with the library that it takes by default. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must, needs } from '../../packages.ts'
import type { Outcome, Work } from '../../part.ts'
import { runProgram } from '../python.ts'
import type { Tried } from '../server.ts'
import { openapiGenerator, programs } from './generator.ts'

export const runOpenapiGeneratorJava = async (work: Work, tried: Tried): Promise<Outcome> =>
  runProgram(work, ['java', '-cp', await compiled(work), 'Story'], tried)

/** Answers the class path. Lists that are not set are left out, where the generator would send them empty. */
async function compiled(work: Work): Promise<string> {
  await needs(work, ['javac', '-version'])
  const generated = await openapiGenerator(work, 'java', [
    '--additional-properties',
    'containerDefaultToNull=true',
  ])
  const story = join(work.root, programs, 'openapi-generator-java/Story.java')
  const storyText = await readFile(story, 'utf8')
  const folder = await installed(work, 'oag-java-built', [generated, storyText], async into => {
    const classPath = join(into, 'classpath')
    const words = ['-q', '-B', 'dependency:build-classpath', `-Dmdep.outputFile=${classPath}`]
    await fetched(work, ['mvn', ...words], generated)
    const files = await must(work, ['find', join(generated, 'src/main/java'), '-name', '*.java'], into)
    await writeFile(join(into, 'sources'), `${files}\n${story}\n`)
    const jars = await readFile(classPath, 'utf8')
    const options = ['-nowarn', '-proc:none', '-d', join(into, 'classes'), '-cp', jars]
    await must(work, ['javac', ...options, '@sources'], into)
  })
  return `${join(folder, 'classes')}:${await readFile(join(folder, 'classpath'), 'utf8')}`
}
