/** What a change can reach. */
import { execFileSync } from 'node:child_process'
import { readImports } from './imports.ts'

/** Where everything meets: what imports one of these loads the whole server, whatever it is about. */
const wiring = new Set([
  'server/src/app.ts',
  'server/src/features.ts',
  'server/src/start/dependencies.ts',
  'server/src/operator/run.ts',
  'server/src/testing/test-app.ts',
])
/** What every change can break. */
const always = 'server/src/architecture.test.ts'

/** What differs from a commit, with files that git does not know yet. */
export function changedFiles(root: string, revision: string): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...new Set([
      ...git('diff', '--name-only', '--diff-filter=d', revision),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]),
  ]
}

/**
 * The test files that load a changed file without going through the wiring, and those that stand beside one, which reach it
 * through a whole server.
 */
export function testsOfChange(root: string, changed: readonly string[]): string[] {
  const graph = readImports(root)
  const reached = graph.importersOf(
    changed.filter(path => graph.files.includes(path)),
    wiring,
  )
  const homes = new Set(changed.flatMap(path => homeOf(path) ?? []))
  return graph.files
    .filter(path => path.endsWith('.test.ts'))
    .filter(path => path === always || reached.has(path) || homes.has(homeOf(path) ?? ''))
}

/** The folder of code that belongs together; null for the wiring and for most scripts. */
function homeOf(path: string): string | null {
  // The pages whose blocks are run there.
  if (/^(README|docs\/guides\/.*)\.md$|^scripts\/guides\//.test(path)) return 'scripts/guides/'
  const home =
    /^server\/src\/features\/[^/]+\/([^/]+\/)?|^server\/src\/platform\/[^/]+\/|^server\/src\/(http|operator)\//.exec(
      path,
    ) ?? /^(connectors\/src|console\/src\/rooms)\/[^/]+\/|^sdk\/src\//.exec(path)
  return home?.[0] ?? null
}
