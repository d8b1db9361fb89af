/** No write of a limited caller changes a byte of anything beyond its reach. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { permissions } from './platform/caller.ts'
import { type Area, mixed, type Slot, slots } from './testing/authorization/area.ts'
import { createMatrix, type Matrix } from './testing/authorization/asking.ts'
import type { Asker } from './testing/authorization/callers.ts'
import {
  type Ask,
  type Operation,
  readOperations,
  requestFor,
  slotsOf,
} from './testing/authorization/requests.ts'
import {
  below,
  type Difference,
  type Dump,
  dumpOf,
  names,
  ofRunTables,
  wholeTables,
  without,
} from './testing/authorization/rows.ts'
import { createWorld, type World } from './testing/authorization/world.ts'
import { untilNoJobs } from './testing/knowledge/knowledge.ts'

const timeout = 10 * 60_000
const operations = inOrder(readOperations().filter(({ isPublic, isRead }) => !isPublic && !isRead))
let world: World
let matrix: Matrix
const counts = { successes: 0, rows: 0, changed: 0, made: 0 }

before(async () => {
  world = await createWorld()
  matrix = createMatrix(world.app)
})
after(() => world.close())

/** Changes first, then deletions from the innermost to the workspace. */
function inOrder(all: readonly Operation[]): Operation[] {
  const last = ['emptyTrash', 'deleteWorkspace']
  const isDeletion = ({ method }: Operation) => method === 'DELETE'
  return [
    ...all.filter(operation => !isDeletion(operation)),
    ...all.filter(operation => isDeletion(operation) && !last.includes(operation.id)).reverse(),
    ...last.flatMap(id => all.filter(operation => operation.id === id)),
  ]
}

/** A caller with an area of its own, and one that it does not reach or reaches a part of. */
type Limited = Asker & {
  own: Area
  foreign: Area
  /** Of its own area. */
  roots: (dump: Dump) => readonly string[]
  /** Tables whose rows it does not change though they belong to what it reaches. */
  except: readonly string[]
  /** Columns that a record must have if the caller makes it, by its table. */
  makes?: Record<string, readonly string[]>
  environment?: 'test'
  /** Objects of the foreign area that no record may name if the caller makes or changes it. */
  beyond: readonly Slot[]
}

const ofKnowledge: readonly Slot[] = ['collection', 'connection', 'upload', 'sync']
const ofAgent: readonly Slot[] = ['agent']
const ofStarters: readonly Slot[] = ['schedule', 'trigger', 'browserToken']
const ofRuns: readonly Slot[] = ['run', 'waitingRun', 'rerun', 'conversation']
const ofDocuments: readonly Slot[] = [
  ...(['document', 'failedDocument', 'spareDocument', 'otherDocument', 'trashedDocument'] as const),
]
const ofCollections: readonly Slot[] = [
  ...(['collection', 'spareCollection', 'importedCollection', 'trashedCollection', 'import'] as const),
  ...(['upload', 'sync', 'otherSync', 'connection', 'connectionSync', ...ofDocuments] as const),
]

const idsIn = (area: Area, wanted: readonly Slot[]) => wanted.map(slot => area.ids[slot])

/** A key and an endpoint that are made without the narrowing of their maker would reach further. */
const narrowedBy = (...columns: string[]) => ({ api_keys: columns, webhooks: columns })

const ofTest = (dump: Dump): string[] =>
  [...dump.values()].flatMap(rows =>
    [...rows.values()].flatMap(({ row }) => (row.environment === 'test' ? [String(row.id)] : [])),
  )

async function createCallers({ app, kept, open, sandbox, furnishOpen }: World): Promise<Limited[]> {
  const key = async (narrowing: { agentIds?: string[]; collectionIds?: string[] }) =>
    (await app.createKey({ userId: app.ownerId, ...narrowing })).key
  const [first, second, third] = [
    await furnishOpen('agents'),
    await furnishOpen('collections'),
    await furnishOpen('teams'),
  ]
  const filtered = await app.request('POST', '/api-keys', {
    body: {
      name: 'Filtered',
      permissions: ['agents:read', 'agents:run', 'knowledge:read'],
      filter: { field: 'topic', op: 'eq', value: 'none' },
    },
  })
  assert.equal(filtered.status, 201, JSON.stringify(filtered.body))
  const ofWide = [...wholeTables, 'browser_tokens']
  const everyCollection = (dump: Dump) =>
    [...(dump.get('collections')?.values() ?? [])]
      .map(({ row }) => row)
      .filter(row => row.workspace_id === app.workspaceId && row.environment === 'live')
  const collectionIds = (dump: Dump) => everyCollection(dump).map(({ id }) => String(id))
  const openIds = (dump: Dump) =>
    everyCollection(dump).flatMap(({ id, access }) => (access === 'workspace' ? [String(id)] : []))
  return [
    {
      name: 'a key narrowed to collections',
      token: await key({ collectionIds: [second.ids.collection] }),
      own: second,
      foreign: kept,
      roots: () => idsIn(second, [...ofKnowledge, ...ofAgent]),
      // Runs of callers who reach more may hold more.
      except: [...ofWide, ...ofRunTables],
      makes: { ...narrowedBy('collection_ids'), agents: ['reach'] },
      beyond: [...ofCollections, ...ofRuns],
    },
    {
      name: 'a key narrowed to both',
      token: await key({ agentIds: [open.ids.agent], collectionIds: [open.ids.collection] }),
      own: open,
      foreign: kept,
      roots: () => idsIn(open, [...ofKnowledge, ...ofAgent]),
      except: [...ofWide, ...ofRunTables],
      makes: narrowedBy('agent_ids', 'collection_ids'),
      beyond: [...ofAgent, ...ofStarters, ...ofRuns, ...ofCollections],
    },
    {
      name: 'a key with a filter',
      token: filtered.body.data.key,
      own: open,
      foreign: kept,
      roots: () => [],
      except: ofWide,
      beyond: [...ofDocuments, ...ofRuns],
    },
    {
      name: 'a key of a member outside the team',
      token: (await app.createKey({ role: 'member' })).key,
      own: third,
      foreign: kept,
      // It empties the trash of every collection that is not kept to teams.
      roots: dump => [...openIds(dump), ...idsIn(third, slots)],
      except: wholeTables,
      beyond: [...ofAgent, ...ofStarters, ...ofRuns, ...ofCollections],
    },
    {
      name: 'a test key',
      token: (await app.createKey({ userId: app.ownerId, environment: 'test', permissions })).key,
      own: sandbox,
      foreign: kept,
      roots: ofTest,
      except: [],
      beyond: [...ofAgent, ...ofStarters, ...ofRuns, ...ofCollections],
      environment: 'test',
    },
    {
      name: 'a key narrowed to agents',
      token: await key({ agentIds: [first.ids.agent] }),
      own: first,
      foreign: kept,
      // It reaches every collection, also those of the foreign area, and so comes last.
      roots: dump => [...collectionIds(dump), ...idsIn(first, ofAgent)],
      except: ofWide,
      makes: narrowedBy('agent_ids'),
      beyond: [...ofAgent, ...ofStarters, ...ofRuns],
    },
  ]
}

type Wide = readonly (readonly [slot: Slot, id: string])[]

/** Objects that lie within the reach of a caller in part only, or that serve the whole workspace. */
async function createWide({ app, kept }: World, { own }: Limited): Promise<Wide> {
  const make = async (path: string, body: object): Promise<string> => {
    const reply = await app.request('POST', path, { body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.data.id
  }
  const collectionIds = [own.ids.collection, kept.ids.collection]
  return [
    ['agent', await make('/agents', { name: 'Of all collections' })],
    ['agent', await make('/agents', { name: 'Of two collections', collectionIds })],
    ['agent', await make('/agents', { name: 'Of two agents', agentIds: [own.ids.agent, kept.ids.agent] })],
    ['connection', await make('/integrations/connect', { integrationId: 'scripted', name: 'Of all' })],
  ]
}

/** With the caller's own objects last, because these requests take them away. */
function asksOf(operation: Operation, { own, foreign }: Limited, wide: Wide): Ask[] {
  const ask = (area: Area): Ask => requestFor(operation, area, world.outside)
  const named = [...slotsOf(ask, own)]
  if (named.length === 0) return [ask(own)]
  const partly = named.length > 1 ? named.map(slot => ask(mixed(own, foreign, slot))) : []
  const beyond = wide
    .filter(([slot]) => named.includes(slot))
    .map(([slot, id]) => ask({ ...own, ids: { ...own.ids, [slot]: id } }))
  return [ask(foreign), ...partly, ...beyond, ask(own)]
}

test('after every write of every limited caller, all that lies beyond its reach is byte for byte as before', {
  timeout,
}, async t => {
  const callers = await createCallers(world)
  const faults: string[] = []
  const wides = new Map<Limited, Wide>()
  for (const caller of callers.filter(({ makes }) => makes !== undefined)) {
    wides.set(caller, await createWide(world, caller))
  }
  for (const caller of callers) {
    await untilNoJobs(world.app)
    const earlier = await dumpOf(world.app.dependencies.database)
    const answered: string[] = []
    await matrix.walk([caller], operations, async (_, operation) => {
      for (const ask of asksOf(operation, caller, wides.get(caller) ?? [])) {
        const { status } = await matrix.send(caller, ask)
        if (status >= 300) continue
        counts.successes += 1
        answered.push(operation.id)
      }
    })
    await untilNoJobs(world.app)
    const later = await dumpOf(world.app.dependencies.database)
    const found = faultsOf(caller, earlier, later)
    const done = `after ${[...new Set(answered)].join(', ')}`
    faults.push(...found.map(fault => `${caller.name}: ${fault}`), ...(found.length > 0 ? [done] : []))
    for (const rows of earlier.values()) counts.rows += rows.size
  }
  const { requests, refusals } = matrix.counts
  t.diagnostic(
    `${operations.length} writes, ${callers.length} narrowings, ${requests} requests, ${refusals} refusals, ${counts.successes} successes; ${counts.rows} rows compared, ${counts.changed} within reach changed or gone, ${counts.made} made`,
  )
  assert.equal(faults.length, 0, `${faults.length} faults\n${faults.join('\n')}`)
  // Otherwise the comparison would prove nothing.
  assert.ok(counts.successes > 100 && counts.changed > 100 && counts.made > 100)
})

function faultsOf(caller: Limited, earlier: Dump, later: Dump): string[] {
  const within = below(earlier, caller.roots(earlier), caller.except)
  const beyond = idsIn(caller.foreign, caller.beyond)
  const mayChange = ({ table, row }: Difference): boolean =>
    isOfEnvironment(caller, row) || (!caller.except.includes(table) && names(row, within))
  const gone = without(earlier, later)
  const added = without(later, earlier)
  const before = new Map(gone.map(({ row, text }) => [row.id, text]))
  /** Whether a row names what lies beyond and has not named before; a stored caller lists what it does not reach. */
  const named = ({ row: { caller: _, ...row } }: Difference) => {
    const text = JSON.stringify(row)
    return beyond.some(id => text.includes(id) && before.get(row.id)?.includes(id) !== true)
  }
  const mayAdd = (one: Difference): boolean =>
    before.has(one.row.id) || told.includes(one.table) || (isBound(caller, one) && !named(one))
  counts.changed += gone.length
  counts.made += added.length
  return [
    ...gone.filter(one => !mayChange(one)).map(one => `${one.table} ${changeOf(one, added)}`),
    ...added.filter(one => !mayAdd(one)).map(({ table, text }) => `${table} added: ${text}`),
    ...added
      .filter(one => before.has(one.row.id) && named(one))
      .map(({ table, text }) => `${table} names what lies beyond: ${text}`),
  ]
}

/** The change of a row, in words for the reader of a failed test. */
function changeOf({ table, row, text }: Difference, added: readonly Difference[]): string {
  const now = added.find(one => one.table === table && one.row.id !== undefined && one.row.id === row.id)
  if (now === undefined) return `gone: ${text}`
  const columns = Object.keys(row).filter(
    column => JSON.stringify(row[column]) !== JSON.stringify(now.row[column]),
  )
  const changes = columns.map(column => `${column} ${String(row[column])} → ${String(now.row[column])}`)
  return `${String(row.id)} changed: ${changes.join(', ')}`
}

/** Rows that tell of events to those who may read of them. */
const told = ['audit_log', 'events', 'webhook_deliveries', 'webhook_attempts']

const isOfEnvironment = ({ environment }: Limited, row: Difference['row']): boolean =>
  environment !== undefined && row.environment === environment

/** Whether a new row reaches no further than the caller that made it. */
function isBound(caller: Limited, { table, row }: Difference): boolean {
  if (isOfEnvironment(caller, row)) return true
  const columns = caller.makes?.[table]
  if (columns !== undefined) return columns.every(column => row[column] !== null) || row.kind === 'callback'
  return table === 'api_key_secrets' || !wholeTables.includes(table)
}
