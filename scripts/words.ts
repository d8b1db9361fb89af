/**
 * Fails with file and line for each archaic word in sources and docs: `node scripts/words.ts [FOLDER OR FILE…]`.
 * STYLE.md holds the list. Generated files, fixtures and documents that are data are not read.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const read = /\.(ts|tsx|md|css)$/
const data =
  /(^|\/)(generated\.ts|extractive\/words\.ts|fixtures|corpora?|demo\/documents)(\/|$)|^sdk\/src\/generated\.ts$|^STYLE\.md$|^scripts\/words(\.test)?\.ts$/

const word = pattern(readFileSync(resolve(root, 'STYLE.md'), 'utf8'))
const faults = trackedFiles(process.argv.slice(2)).flatMap(path => faultsOf(path))
for (const fault of faults) console.error(fault)
if (faults.length > 0) console.error(`${faults.length} lines hold a word that STYLE.md rules out`)
process.exitCode = faults.length > 0 ? 1 : 0

/** Reads the words from the line of STYLE.md that begins with "Never:". */
function pattern(style: string): RegExp {
  const list = /^Never: (.+)$/m.exec(style)?.[1]
  const words = [...(list ?? '').matchAll(/`([a-z ]+)`/g)].map(([, found]) => found)
  if (words.length === 0) throw new Error('STYLE.md has no line "Never: `word`, …"')
  return new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`, 'gi')
}

function trackedFiles(paths: string[]): string[] {
  const arguments_ = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...paths]
  const { stdout, stderr, status } = spawnSync('git', arguments_, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ls-files: ${stderr}`)
  return stdout.split('\0').filter(path => read.test(path) && !data.test(path))
}

function faultsOf(path: string): string[] {
  const lines = readFileSync(resolve(root, path), 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    [...line.matchAll(word)].map(([found]) => `${path}:${index + 1}: “${found}”`),
  )
}
