/** The code of the readers: where it lies, and its compiled form, made once so that a child starts in half the time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { otherUser } from './container.ts'

const program = new URL('./compile-readers.ts', import.meta.url)

/** The folder of the packages that the readers use. */
const libraries = dirname(dirname(findPackageJSON('saxes', program) ?? ''))

const server = fileURLToPath(new URL('../../../../..', program))

/** All that a reader is made of. The server's folder may also hold data. */
export const codeFolders: readonly string[] = [
  join(server, 'src'),
  join(server, 'package.json'),
  realpathSync(dirname(findPackageJSON('@atrium/connectors/html', program) ?? '')),
  libraries,
]

/**
 * Where compiled code may lie: in the installation, or else in the server's folder for children. It must not lie where
 * others may write.
 */
const placesIn = (folder: string): string[] =>
  [join(libraries, '.cache'), folder].map(place => join(place, 'atrium-compiled'))

/** The folder of the compiled code, null if there is none. */
export const compiledReaders = (folder: string): string | null =>
  placesIn(folder).find(place => existsSync(place)) ?? null

/**
 * Where a container shows it. Its real place may lie in a folder that only the server's user can enter, such as the
 * one that Node makes for its own compiled code.
 */
export const compiledInside = '/compiled'

/**
 * Makes the compiled code if there is none, in a process that reads no files. V8 accepts it only under the same flags.
 * Children start without it if it cannot be made.
 */
export async function compileReaders(folder: string, flags: readonly string[]): Promise<void> {
  if (compiledReaders(folder) !== null) return
  const place = placesIn(folder).find(canMake)
  if (place === undefined) return
  const draft = mkdtempSync(`${place}-`)
  const child = fork(program, [], {
    execArgv: ['--no-warnings', ...flags],
    env: { NODE_COMPILE_CACHE: draft },
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  try {
    if (code === 0) {
      nameForReaders(draft)
      openToReaders(draft, place === placesIn(folder)[0])
      renameSync(draft, place)
    }
  } catch {
    // Another server has been faster.
  }
  rmSync(draft, { recursive: true, force: true })
}

function canMake(place: string): boolean {
  try {
    mkdirSync(dirname(place), { recursive: true })
    rmSync(mkdtempSync(`${place}-`), { recursive: true })
    return true
  } catch {
    return false
  }
}

/**
 * Node puts the number of the user at the end of a folder of compiled code, and looks for no other. A reader is root to
 * itself in a namespace of users, or the other user.
 */
function nameForReaders(folder: string): void {
  const own = `-${process.getuid?.()}`
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(own)) continue
    for (const user of [0, otherUser]) {
      const theirs = `${name.slice(0, -own.length)}-${user}`
      if (theirs !== name) symlinkSync(name, join(folder, theirs))
    }
  }
}

/**
 * For the user of the readers, where the server runs as root. Compiled code says no more than the installation, but in
 * the data folder nothing is open to others.
 */
function openToReaders(folder: string, isInstallation: boolean): void {
  if (process.getuid?.() !== 0) return
  const within = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const path of [folder, ...within]) {
    if (!isInstallation) chownSync(path, otherUser, otherUser)
    else chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
  }
}
