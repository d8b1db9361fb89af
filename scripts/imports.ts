/** Who imports whom, read from the sources: which tests a change can reach, and what a test needs, follow from it. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

export type ImportGraph = {
  /** Every source file, by its path from the root. */
  files: readonly string[]
  /** Whether a file loads another one when it runs, be it through others. */
  reaches(from: string, target: string): boolean
  /** Everything that loads one of these files when it runs, these included; `except` is not passed through. */
  importersOf(files: Iterable<string>, except?: ReadonlySet<string>): Set<string>
}

const sources = [
  '{server,sdk,connectors,console}/src/**/*.{ts,tsx}',
  '{console,widget}/testing/**/*.ts',
  '{widget,cli}/src/**/*.ts',
  '{sdk/scripts,scripts,benchmarks,examples}/**/*.ts',
]
/** The packages of this repository, by the file that they export. */
const packages: Record<string, string> = {
  '@atrium/sdk': 'sdk/src/index.ts',
  '@atrium/connectors': 'connectors/src/index.ts',
  '@atrium/connectors/catalog': 'connectors/src/catalog.ts',
  '@atrium/connectors/html': 'connectors/src/html.ts',
  '@atrium/connectors/loading': 'connectors/src/loading/load-connector.ts',
  '@atrium/connectors/outside': 'connectors/src/outside.ts',
}
/** `import type` leaves nothing behind at run time; `import('…')` is loaded sooner or later. */
const importPattern =
  /(?:^import\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?|^export\s+(?!type\b)[^'"]*?\sfrom\s+|\bimport\()'([^']+)'/gm

export function readImports(root: string): ImportGraph {
  const files = globSync(sources, { cwd: root, exclude: path => path.includes('node_modules') }).sort()
  const known = new Set(files)
  const imports = new Map(
    files.map(path => [path, importsOf(root, path).filter(target => known.has(target))]),
  )
  const importers = new Map<string, string[]>(files.map(path => [path, []]))
  for (const [from, targets] of imports) for (const target of targets) importers.get(target)?.push(from)
  const reachable = new Map<string, Set<string>>()
  return {
    files,
    reaches(from, target) {
      const found = reachable.get(target) ?? walk([target], importers)
      reachable.set(target, found)
      return found.has(from)
    },
    importersOf: (changed, except = new Set()) => walk(changed, importers, except),
  }
}

function importsOf(root: string, path: string): string[] {
  const source = readFileSync(resolve(root, path), 'utf8')
  return [...source.matchAll(importPattern)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('.')) return [relative(root, resolve(root, dirname(path), specifier))]
    if (specifier.startsWith('#')) return [`server/src/${specifier.slice(1)}`]
    return packages[specifier] ?? []
  })
}

function walk(
  from: Iterable<string>,
  edges: ReadonlyMap<string, string[]>,
  except: ReadonlySet<string> = new Set(),
): Set<string> {
  const found = new Set(from)
  const open = [...found]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (except.has(path)) continue
    for (const next of edges.get(path) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      open.push(next)
    }
  }
  return found
}
