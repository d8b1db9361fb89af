/** A connector to begin with: the template under a new name, and what an editor needs to check it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError, UsageError } from './errors.ts'

/** Answers the connector's file and all that were written; files that are there stay as they are. */
export async function makeConnector(
  name: string,
  folder: string,
): Promise<{ file: string; written: string[] }> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    throw new UsageError('NAME must be lower-case words joined by hyphens, such as my-wiki')
  }
  await mkdir(folder, { recursive: true })
  const door = fileURLToPath(import.meta.resolve('@atrium/connectors'))
  const file = join(folder, `${name}.ts`)
  if (!(await writeNew(file, await templateFor(name, dirname(door))))) {
    throw new OperatorError(`${file} is there already; choose another name`)
  }
  const written = [file]
  for (const [beside, content] of Object.entries(companions(door))) {
    const path = join(folder, beside)
    if (await writeNew(path, `${JSON.stringify(content, null, 2)}\n`)) written.push(path)
  }
  return { file, written }
}

async function templateFor(id: string, source: string): Promise<string> {
  const template = await readFile(join(source, 'template/connector.ts'), 'utf8')
  const name = id
    .split('-')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
  return template.replaceAll('Example', name).replaceAll("'example'", `'${id}'`)
}

/** Node reads the file as a module without guessing, and an editor finds the interface. */
const companions = (door: string) => ({
  'package.json': { private: true, type: 'module' },
  'tsconfig.json': {
    compilerOptions: {
      target: 'ES2024',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [resolve(dirname(door), '../../node_modules/@types')],
      paths: { '@atrium/connectors': [door] },
    },
  },
})

async function writeNew(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
