/** A clean copy of the project, as a clone has it: what git has or would take, and nothing that was built or installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Outside the project, so that nothing is found in the project's own node_modules. */
export function copyProject(root: string, name: string): Disposable & { folder: string; data: string } {
  const parent = mkdtempSync(join(tmpdir(), 'atrium-install-'))
  const folder = join(parent, name)
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', words, { cwd, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  const paths = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
  mkdirSync(folder)
  for (const path of paths)
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  const author = ['-c', 'user.name=copy', '-c', 'user.email=copy@localhost', '-c', 'commit.gpgsign=false']
  git(folder, ...author, 'commit', '--quiet', '--message', 'A copy')
  return {
    folder,
    data: join(parent, 'data'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  }
}
