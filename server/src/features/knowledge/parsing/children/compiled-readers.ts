/** The code of the readers, compiled once per installation, so that a child starts in half the time. */
import { fork } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

const program = new URL('./compile-readers.ts', import.meta.url)

/** The folder of the packages that the readers are made of. */
export const libraries = dirname(dirname(findPackageJSON('saxes', program) ?? ''))

/** The folder of the package that reads HTML. */
export const connectorsCode = realpathSync(dirname(findPackageJSON('@atrium/connectors/html', program) ?? ''))

/** Within the installation: a folder that others may write to must hold no code of ours. */
const cacheFolder = join(libraries, '.cache')
const master = join(cacheFolder, 'atrium-readers')
let isCompiling = false

/**
 * Copies what there is to `target`. Where there is nothing yet, a process that reads no files makes it for the children
 * that come later; V8 takes it only under the same flags. Where the installation can't be written, children go without.
 */
export function copyCompiledReaders(target: string, flags: readonly string[]): void {
  if (existsSync(master)) cpSync(master, target, { recursive: true })
  else if (!isCompiling) compile(flags)
}

function compile(flags: readonly string[]): void {
  isCompiling = true
  let folder: string
  try {
    folder = mkdtempSync(join(cacheFolder, 'atrium-readers-'))
  } catch {
    return
  }
  const child = fork(program, [], {
    execArgv: ['--no-warnings', ...flags],
    env: { NODE_COMPILE_CACHE: folder },
    stdio: 'ignore',
  })
  child.unref()
  child.channel?.unref()
  child.once('exit', code => {
    try {
      if (code === 0) renameSync(folder, master)
    } catch {
      // Another server has been faster.
    }
    rmSync(folder, { recursive: true, force: true })
  })
}
