/** Holds the floors of ARCHITECTURE.md: who may import whom. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { test } from 'node:test'

const features = [
  'audit',
  'events',
  'workspaces',
  'identity',
  'authentication',
  'api-keys',
  'persons',
  'oauth',
  'limits',
  'usage',
  'webhooks',
  'models',
  'knowledge',
  'integrations',
  'agents',
  'mcp',
  'openai',
]
/** The rooms of the features that have some, from the bottom. Those on one floor know nothing of each other. */
const rooms: Record<string, string[][]> = {
  webhooks: [['records'], ['deliveries'], ['callbacks']],
  workspaces: [['records'], ['members'], ['teams', 'invitations']],
  knowledge: [
    ['parsing', 'filter'],
    ['records'],
    ['search/index'],
    ['search/ranking'],
    ['search'],
    ['vectors'],
    ['documents', 'processing', 'archive'],
    ['uploads', 'syncs', 'citations'],
  ],
  integrations: [['records'], ['credentials'], ['syncs'], ['connections']],
  agents: [
    ['definitions', 'tools', 'demo'],
    ['records'],
    ['budgets', 'events', 'inputs'],
    ['browser-tokens'],
    ['execution'],
    ['conversations'],
    ['runs', 'traces'],
    ['pending-calls', 'review', 'starters'],
  ],
  openai: [['requests']],
}
/** Tests beside the code included, folders within it not. */
const mostFilesOfFolder = 25
const root = resolve(import.meta.dirname, '../..')
const files = globSync(
  [
    'server/src/**/*.{ts,js}',
    'sdk/src/**/*.ts',
    'connectors/src/**/*.ts',
    'console/{src,testing}/**/*.{ts,tsx}',
    'widget/{src,testing}/**/*.ts',
    'cli/src/**/*.ts',
  ],
  {
    cwd: root,
  },
).sort()
const sources = new Map(files.map(path => [path, readFileSync(resolve(root, path), 'utf8')]))
/** Files that stand beside the house: they may reach into every room, and nothing in the house may need them. */
const isScaffold = (path: string) =>
  path.endsWith('.test.ts') || /^(server\/src|connectors\/src|console|widget)\/testing\//.test(path)

test('the floors are held against the files that are really there', () => {
  assert.ok(files.length >= 100, `only ${files.length} files were read`)
  assert.ok([...sources.keys()].flatMap(importsOf).length >= files.length, 'too few imports were understood')
  for (const feature of features) {
    assert.ok(
      files.some(path => path.startsWith(`server/src/features/${feature}/`)),
      `${feature} is empty`,
    )
  }
})

test('no import runs up, sideways into another feature, or out of its workspace', () => {
  const faults = files.flatMap(from => importsOf(from).flatMap(to => faultOf(from, to) ?? []))
  assert.deepEqual(faults, [])
})

test('no file imports itself through others, types included', () => {
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (trail.includes(path) || finished.has(path)) return
    for (const next of importsOf(path)) visit(next, [...trail, path])
    finished.add(path)
  }
  for (const path of files) visit(path, [])
  assert.deepEqual(circles, [])
})

test('within a feature a room knows only those below it', () => {
  const faults = features.flatMap(feature => {
    const folder = `server/src/features/${feature}/`
    /** Undefined for a file that lies directly in the feature, such as feature.ts. */
    const listed = (rooms[feature] ?? []).flat()
    const roomIn = (path: string): string | undefined => {
      const inside = dirname(path.slice(folder.length))
      if (inside === '.') return undefined
      return listed.includes(inside) ? inside : inside.split('/')[0]
    }
    const floorOf = (room: string): number => (rooms[feature] ?? []).findIndex(floor => floor.includes(room))
    const own = files.filter(path => path.startsWith(folder) && !isScaffold(path))
    return own.flatMap(from => {
      const room = roomIn(from)
      if (room === undefined) return []
      if (floorOf(room) === -1) return `${from} is in a room without a floor: add it to \`rooms\``
      return importsOf(from)
        .filter(to => to.startsWith(folder) && roomIn(to) !== room)
        .filter(to => floorOf(roomIn(to) ?? '') === -1 || floorOf(roomIn(to) ?? '') >= floorOf(room))
        .map(to => `${from} imports ${to}, which is not below it`)
    })
  })
  assert.deepEqual(faults, [])
})

test('no folder is a list to search in', () => {
  const counts = Map.groupBy(files, path => dirname(path))
  const long = [...counts].filter(([, inside]) => inside.length > mostFilesOfFolder)
  assert.deepEqual(
    long.map(([folder, inside]) => `${folder}: ${inside.length}`),
    [],
  )
})

test('the environment is read only where a process begins', () => {
  const doors = ['server/src/main.js', 'server/src/operator/main.js']
  // A page has no environment; where it or a sample of the reference names one, that is in a line to paste.
  const isPasted = (path: string) => /^console\/|\/reference\/samples\//.test(path)
  const programs = files.filter(path => !isScaffold(path) && !isPasted(path))
  const readers = programs.filter(path => /\bprocess\.env\b/.test(sources.get(path) ?? ''))
  assert.deepEqual(
    readers.filter(path => !doors.includes(path)),
    [],
  )
})

/** The files that a file imports by a relative path, whether for values or for types. */
function importsOf(path: string): string[] {
  const specifiers = (sources.get(path) ?? '').matchAll(/(?:\bfrom|^import|\bimport\()\s*'(\.[^']+)'/gm)
  return [...specifiers].map(([, specifier]) =>
    relative(root, resolve(root, dirname(path), specifier ?? '')).replaceAll('\\', '/'),
  )
}

/** What is wrong with one import; undefined if nothing is. */
function faultOf(from: string, to: string): string | undefined {
  const fault = (why: string) => `${from} imports ${to}: ${why}`
  if (!sources.has(to) && to.endsWith('.ts')) return fault('there is no such file')
  if (isScaffold(from)) return undefined
  if (isScaffold(to)) return fault('tests and testing/ are for tests')
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room.workspace !== target.workspace) return fault('workspaces meet by their package names')
  if (room.page !== target.page && room.page !== undefined && target.page !== undefined)
    return fault('a room of the console knows no other')
  if (target.floor > room.floor) return fault('the import runs up')
  if (target.feature === undefined || room.feature === undefined) {
    const mayKnowHttp = room.feature === undefined || /(routes|tools|jobs|feature)\.ts$/.test(from)
    return target.name === 'http' && !mayKnowHttp
      ? fault('only feature.ts, routes, tools and jobs know HTTP')
      : undefined
  }
  if (target.feature === room.feature) {
    return /routes\.ts$/.test(from) && /store\.ts$/.test(to) ? fault('routes ask their service') : undefined
  }
  if (features.indexOf(target.feature) > features.indexOf(room.feature))
    return fault('the feature is a later one')
  if (!/(service|schemas)\.ts$/.test(to)) return fault('only service and schemas of another feature are open')
  return /store\.ts$/.test(from) ? fault('a store knows no other feature') : undefined
}

type Room = {
  workspace: string
  name: string
  floor: number
  feature?: string
  /** The folder of a room of the console. */
  page?: string
}

/** Where a file lives; a higher floor may import a lower one. */
function roomOf(path: string): Room {
  const [workspace = '', , name = '', feature = ''] = path.split('/')
  const [, page] = /^console\/src\/rooms\/([^/]+)\//.exec(path) ?? []
  if (page !== undefined) return { workspace, name, floor: 0, page }
  if (workspace !== 'server') return { workspace, name, floor: 0 }
  if (name === 'platform' || name === 'settings') return { workspace, name, floor: 0 }
  if (name === 'http') return { workspace, name, floor: 1 }
  if (name === 'features') return { workspace, name, floor: 2, feature }
  return { workspace, name, floor: name === 'main.js' ? 4 : 3 }
}
