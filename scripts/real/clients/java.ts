/** The program of `clients/java`: OpenAI's package for Java, compiled by the JDK of the machine. */
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, installed, must, needs } from '../packages.ts'
import type { Part, Work } from '../part.ts'
import { runProgram } from './python.ts'
import type { Tried } from './server.ts'

/** The newest, and two majors before. */
export const javaParts = (tried: () => Tried): Part[] =>
  ['4.8.0', '2.20.1'].map(version => ({
    name: `java openai-java ${version}`,
    isLong: true,
    run: async work => runProgram(work, ['java', '-cp', await compiled(work, version), 'UseOpenai'], tried()),
  }))

/** Answers the class path. */
async function compiled(work: Work, version: string): Promise<string> {
  await needs(work, ['javac', '-version'])
  await needs(work, ['mvn', '--version'])
  const source = join(work.root, 'clients/java')
  const texts = await Promise.all(
    ['pom.xml', 'UseOpenai.java'].map(name => readFile(join(source, name), 'utf8')),
  )
  const folder = await installed(work, `java-${version}`, texts, async into => {
    await copyFile(join(source, 'pom.xml'), join(into, 'pom.xml'))
    const classPath = join(into, 'classpath')
    const words = ['-q', '-B', `-Dopenai.version=${version}`, 'dependency:build-classpath']
    await fetched(work, ['mvn', ...words, `-Dmdep.outputFile=${classPath}`], into)
    const options = ['-nowarn', '-d', join(into, 'classes'), '-cp', await readFile(classPath, 'utf8')]
    await must(work, ['javac', ...options, join(source, 'UseOpenai.java')], into)
  })
  return `${join(folder, 'classes')}:${await readFile(join(folder, 'classpath'), 'utf8')}`
}
