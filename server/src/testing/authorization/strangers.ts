/** Callers for whom objects of an area do not exist, each with what it reaches where it is at home. */
import { permissions } from '../../platform/caller.ts'
import { signIn } from '../apps/signed-in.ts'
import { type Area, type Slot, slots } from './area.ts'
import { type Limited, newPerson, permissionsOf, serviceKey } from './callers.ts'
import type { World } from './world.ts'

export type Stranger = Limited & Distance

type Distance = {
  /** What it is asked about, and what of that does not exist for the caller. */
  area: Area
  unreached: ReadonlySet<Slot>
  /** Where it is at home, and what it reaches there. */
  own: Area
  reached: ReadonlySet<Slot>
  /** A key or a person that reaches the workspace as a whole: it is told which environment a record is in. */
  isWhole?: boolean
  /** Operations that tell of both environments. */
  spanning: readonly string[]
}

const ofAgents: readonly Slot[] = ['agent', 'schedule', 'trigger']
const ofRuns: readonly Slot[] = ['run', 'waitingRun', 'rerun', 'conversation']
/** What a key reaches that is narrowed to the one collection. */
const ofOneCollection: readonly Slot[] = [
  'collection',
  'document',
  'failedDocument',
  'spareDocument',
  'otherDocument',
  'trashedDocument',
  'upload',
  'sync',
  'connection',
  'connectionSync',
]
const ofCollections: readonly Slot[] = [
  ...ofOneCollection,
  'spareCollection',
  'importedCollection',
  'trashedCollection',
  'otherSync',
  'import',
]
/** A key and an endpoint that are not narrowed tell a narrowed caller of what lies outside. */
const ofTheWide: readonly Slot[] = ['key', 'browserToken', 'webhook', 'delivery', 'callback', 'event']
/** They exist for the one key or person that made them. */
const ofAuthors: readonly Slot[] = ['openAiConversation', 'openAiItem']
/** The sandbox is the workspace of the same people. */
const ofBothEnvironments: readonly Slot[] = [
  'member',
  'serviceAccount',
  'team',
  'modelProvider',
  'oauthClient',
]

export async function createStrangers(world: World): Promise<Stranger[]> {
  const { app, neighbour } = world
  const { foreign, fromSandbox, toSandbox, toAgent, toCollection, toBoth, outside, ...others } =
    distances(world)
  const { toPerson, toPersonOfAdmin } = others
  const owner = await signIn(app, app.ownerId)
  const abroad = await signIn(app, neighbour.ownerId)
  const outsider = await newPerson(app, 'member')
  const admin = await newPerson(app, 'admin')
  const outsidersKey = await app.createKey({ userId: outsider.userId, role: 'member' })
  const narrowed = async (bounds: { agentIds?: string[]; collectionIds?: string[] }) =>
    (await app.createKey({ userId: app.ownerId, ...bounds })).key
  const agentIds = [world.open.ids.agent]
  const collectionIds = [world.open.ids.collection]

  const tokens = {
    abroad: await abroad.token({ workspaceId: neighbour.workspaceId }),
    live: await owner.token(),
    test: await owner.token({ environment: 'test' }),
    toAgent: await narrowed({ agentIds }),
    toCollection: await narrowed({ collectionIds }),
    toBoth: await narrowed({ agentIds, collectionIds }),
    outsider: await outsider.token(),
    admin: await admin.token(),
    robot: await serviceKey(app, 'member'),
  }
  const live = { permissions, environment: 'live' } as const
  const test = { permissions, environment: 'test' } as const
  const member = { permissions: permissionsOf.member, environment: 'live' } as const
  type Row = [name: string, token: string, held: Pick<Limited, 'permissions' | 'environment'>, Distance]
  const rows: Row[] = [
    ['a key of another workspace', neighbour.key.key, live, foreign],
    ['a person of another workspace', tokens.abroad, live, foreign],
    ['a test key, of live objects', app.testKey.key, test, fromSandbox],
    ['a person in the sandbox, of live objects', tokens.test, test, fromSandbox],
    ['a live key, of sandbox objects', app.liveKey.key, live, toSandbox],
    ['a person in live, of sandbox objects', tokens.live, live, toSandbox],
    ['a key narrowed to another agent', tokens.toAgent, live, toAgent],
    ['a key narrowed to another collection', tokens.toCollection, live, toCollection],
    ['a key narrowed to both', tokens.toBoth, live, toBoth],
    ['a member outside the team', tokens.outsider, member, outside],
    ['a key of a member outside the team', outsidersKey.key, member, outside],
    ['a service account outside the team', tokens.robot, member, outside],
    ["a member, of another person's conversation", tokens.outsider, member, toPerson],
    ["a key, of a person's conversation", app.liveKey.key, live, toPerson],
    ["an admin, of another person's conversation", tokens.admin, live, toPersonOfAdmin],
  ]
  return rows.map(([name, token, held, distance]) => ({ name, token, ...held, ...distance }))
}

function distances({ kept, open, personal, sandbox, neighbour }: World) {
  const all = new Set(slots)
  const beyond = new Set(slots.filter(slot => !ofBothEnvironments.includes(slot)))
  // In live the keys of both environments are kept and the changes in both are read; a workspace, and a membership in it,
  // end as a whole.
  const spanning = ['listApiKeys', 'listAuditLog', 'deleteWorkspace', 'leaveWorkspace', 'deleteMember']
  // These tell that a person's run was, and nothing of what was said.
  const tellingOfPersons = ['listEvents', 'listAuditLog']
  const beyondKeys = new Set([...beyond].filter(slot => slot !== 'key'))
  const otherAgent = new Set([...ofAgents, ...ofRuns, ...ofAuthors, ...ofTheWide])
  const otherCollection = new Set([...ofRuns, ...ofAuthors, ...ofCollections, ...ofTheWide])
  const otherBoth = new Set([...otherAgent, ...otherCollection])
  const withheld = new Set<Slot>(['browserToken', ...ofAgents, ...ofRuns, ...ofAuthors, ...ofCollections])

  const notOfAuthors = (reached: ReadonlySet<Slot>) =>
    new Set([...reached].filter(slot => !ofAuthors.includes(slot)))
  const base = { area: kept, own: open, reached: notOfAuthors(all), spanning: [] }
  const toPerson = {
    ...base,
    area: personal,
    unreached: new Set([...ofRuns, ...ofAuthors]),
    spanning: tellingOfPersons,
  }
  const ownAgent = new Set([...ofAgents, ...ofRuns])
  const ownCollection = new Set(ofOneCollection)
  const ownBoth = new Set([...ofAgents, ...ofOneCollection])
  return {
    foreign: { ...base, own: neighbour, unreached: all },
    fromSandbox: { ...base, isWhole: true, own: sandbox, unreached: beyond, reached: notOfAuthors(beyond) },
    toSandbox: { ...base, isWhole: true, area: sandbox, unreached: beyondKeys, spanning },
    toAgent: { ...base, unreached: otherAgent, reached: ownAgent },
    toCollection: { ...base, unreached: otherCollection, reached: ownCollection },
    toBoth: { ...base, unreached: otherBoth, reached: ownBoth },
    outside: { ...base, unreached: withheld },
    toPerson,
    // An admin opens what they find there.
    toPersonOfAdmin: { ...toPerson, spanning: [...tellingOfPersons, 'openConversation'] },
  } satisfies Record<string, Distance>
}
