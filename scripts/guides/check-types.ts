/** Strict TypeScript over the blocks of all pages at once: one start of the compiler is cheaper than one for each. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Block } from './blocks.ts'

const root = resolve(import.meta.dirname, '../..')

/** What the compiler has to say, with pages and lines; empty if all is well. */
export async function typeFaults(blocks: readonly Block[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-guide-types-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const compilerOptions = { incremental: false, moduleDetection: 'force' }
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const pages = new Map<string, Block>()
    for (const block of blocks.filter(({ language }) => language === 'ts' || language === 'js')) {
      const name = `${pages.size}.ts`
      pages.set(name, block)
      // On the lines that it has in the page.
      await writeFile(join(folder, name), '\n'.repeat(block.line - 1) + block.code)
    }
    const said = await compile(folder)
    return said.replaceAll(/\d+\.ts(?=\()/g, name => pages.get(name)?.page ?? name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise(done => {
    execFile(process.execPath, [compiler, '-p', folder], { cwd: folder }, (error, stdout, stderr) =>
      done(error === null ? '' : `${stdout}${stderr}` || error.message),
    )
  })
}
