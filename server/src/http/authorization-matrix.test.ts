/** The authorization matrix: every operation of the published document, asked by every kind of caller. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Environment, Permission, Role } from '../platform/caller.ts'
import { type Area, missing, mixed, type Slot, slots } from '../testing/authorization/area.ts'
import {
  comparable,
  createMatrix,
  leaksIn,
  type Matrix,
  told,
  withoutEnvironment,
} from '../testing/authorization/asking.ts'
import {
  type Asker,
  createLimited,
  createRefused,
  type Limited,
  newPerson,
  ownerOf,
  type Refused,
} from '../testing/authorization/callers.ts'
import {
  type Ask,
  type Operation,
  readOperations,
  requestFor,
  slotsOf,
  type Way,
  waysToAsk,
} from '../testing/authorization/requests.ts'
import { createStrangers, type Stranger } from '../testing/authorization/strangers.ts'
import { createWorld, type World } from '../testing/authorization/world.ts'
import { testEngine } from '../testing/database.ts'
import { eventually } from '../testing/eventually.ts'

/** Some thousand requests, one after the other: minutes on a busy machine. */
const timeout = 10 * 60_000
const operations = readOperations().filter(({ isPublic }) => !isPublic)
/**
 * Whether a permission is held is decided before an operation's own rows are asked for: with every operation on SQLite, and
 * on PostgreSQL with one of each permission and kind.
 */
const decided = everyOnSqlite(operations, kindOf)
let world: World
let matrix: Matrix
let refused: Refused[]
let limited: Limited[]
let strangers: readonly Stranger[]
let changesBefore = 0

before(async () => {
  world = await createWorld()
  matrix = createMatrix(world.app)
  refused = await createRefused(world)
  limited = await createLimited(world)
  // Who they are is decided before rows are asked for; the conditions on rows are of what does not exist for them.
  strangers = everyOnSqlite(await createStrangers(world), ({ unreached }) => unreached)
  changesBefore = await countChanges()
})
after(() => world.close())

/** On PostgreSQL the first of each kind: the same statements, asked for less often. */
function everyOnSqlite<One>(all: readonly One[], kindOf: (one: One) => unknown): readonly One[] {
  return testEngine === 'sqlite'
    ? all
    : [...Map.groupBy(all, kindOf).values()].flatMap(([first]) => first ?? [])
}

function kindOf({ permission, isRead, isLiveOnly }: Operation): string {
  return `${permission} ${isRead} ${isLiveOnly}`
}

const usualRequest = (operation: Operation, area: Area): Ask => requestFor(operation, area, world.outside)

test('a valid request is known for every operation, every route is published, and only three are public', () => {
  const published = readOperations()
  const routes = world.app.app.routes.map(({ operationId }) => operationId)
  assert.deepEqual(published.map(({ id }) => id).sort(), routes.sort())
  assert.deepEqual(
    published.filter(({ isPublic }) => isPublic).map(({ id }) => id),
    ['sendToTrigger', 'admitVisitor', 'getOpenApi'],
  )
  for (const operation of operations) usualRequest(operation, world.kept)
})

test('a caller who is not let in is refused by every operation alike', { timeout }, async () => {
  const answers = new Map<string, object>()
  await matrix.walk(refused, decided, async (asker, operation) => {
    const { status, headers, body } = await matrix.send(asker, usualRequest(operation, world.kept))
    assert.deepEqual([status, body.code], [asker.status, asker.code])
    assert.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
    assert.equal(body.details.reason, asker.reason)
    // OpenAI's protocol says the same in its own words besides.
    const { error: _, ...common } = body
    const answer = { ...common, requestId: '' }
    assert.deepEqual(answer, answers.get(asker.name) ?? answer)
    answers.set(asker.name, answer)
  })
})

test('a caller is refused by exactly those operations whose permission it lacks', { timeout }, async () => {
  await matrix.walk(limited, decided, async (asker, operation) => {
    const area = asker.environment === 'live' ? world.open : world.sandbox
    const refusal = refusalOf(asker, operation)
    const asked = refusal === null && !operation.isRead ? withoutEffect : usualRequest
    const ask = asked(operation, area)
    const reply = await matrix.send(asker, ask)
    if (refusal !== null && isHiddenFrom(asker, operation)) {
      assert.equal(reply.status, 404, told(ask, reply))
    } else if (refusal !== null) {
      assert.deepEqual([reply.status, reply.body.code], [403, refusal.code])
      assert.ok(reply.body.message.includes(refusal.says), reply.body.message)
    } else if (operation.isRead) {
      const isShown =
        !ofAuthors.includes(operation.id) &&
        (alsoNeeds[operation.id] ?? []).every(needed => asker.permissions.includes(needed))
      assert.ok(isShown ? reply.status < 300 : reply.status === 404, told(ask, reply))
    } else {
      const isPreview = operation.triesDry && reply.status === 200
      assert.ok(isPreview || reply.status >= 400, told(ask, reply))
      assert.ok(reply.status !== 403 || operation.id === forPersons, told(ask, reply))
    }
  })
})

/** What the published document says of the operation; null if the caller may ask it. */
function refusalOf(asker: Limited, operation: Operation): { code: string; says: string } | null {
  const { permission, isLiveOnly } = operation
  const held: readonly string[] = asker.permissions
  if (permission !== null && !held.includes(permission)) {
    return { code: 'permission_missing', says: `lacks the permission ${permission}` }
  }
  const isClosed = isLiveOnly && asker.environment === 'test'
  return isClosed ? { code: 'sandbox_forbidden', says: 'it would change the real workspace' } : null
}

/** It is left to the handler whether a viewer may: a run in progress does not exist here for members outside the team. */
const isHiddenFrom = ({ name }: Limited, { id }: Operation): boolean =>
  name === 'a person, viewer' && ['decideRun', 'sendToolResults'].includes(id)

/** An event is told to those who may read what it is about, here a run. */
const alsoNeeds: Record<string, readonly Permission[]> = {
  getEvent: ['agents:read'],
  getCallbackDelivery: ['agents:read'],
}
/** What they are about exists for the key alone that made it. */
const ofAuthors = [
  'getOpenAiConversation',
  'updateOpenAiConversation',
  'deleteOpenAiConversation',
  'listOpenAiConversationItems',
  'createOpenAiConversationItems',
  'getOpenAiConversationItem',
  'deleteOpenAiConversationItem',
]
/** It takes no permission, and a key cannot do it. */
const forPersons = 'leaveWorkspace'

/** A request that passes the check of permissions and changes nothing: of objects that are not there, or dry. */
function withoutEffect(operation: Operation, area: Area): Ask {
  const { form: _form, body: _body, ...ask } = usualRequest(operation, missing(area, new Set(slots)))
  return withoutUndefined({
    ...ask,
    // OpenAI's protocol passes unknown fields over, and needs none of a new vector store or conversation.
    body: operation.hasJsonBody ? { noSuchField: true, name: 7, items: 7 } : undefined,
    query: operation.triesDry ? { dryRun: 'true' } : ask.query,
  })
}

test('what a caller does not reach answers as what never was, and no list tells of it', {
  timeout,
}, async () => {
  await matrix.walk(strangers, operations, async (asker, operation) => {
    if (refusalOf(asker, operation) !== null || asker.spanning.includes(operation.id)) return
    for (const way of waysToAsk(operation, world.outside)) {
      const named = slotsOf(way.ask, asker.area)
      await checkReach(asker, operation, way, asker.area, named)
      // One foreign object among the caller's own ones, which may be looked for under what stands before it.
      for (const slot of named.size > 1 ? named : []) {
        await checkReach(asker, operation, way, mixed(asker.own, asker.area, slot), new Set([slot]))
      }
      if (!way.isSafe || ![...named].every(slot => asker.reached.has(slot))) continue
      const own = way.ask(asker.own)
      for (const reply of await matrix.sendPages(asker, operation, own)) {
        assert.ok(reply.status < 300 || !operation.isRead, told(own, reply))
        assert.deepEqual(leaksIn(reply, asker), [], told(own, reply))
      }
    }
  })
})

async function checkReach(
  asker: Stranger,
  operation: Operation,
  { ask, isSafe }: Way,
  area: Area,
  about: ReadonlySet<Slot>,
): Promise<void> {
  const named = new Set([...about].filter(slot => asker.unreached.has(slot)))
  if (named.size === 0 && !isSafe) return
  const asked = ask(area)
  if (named.size === 0) {
    for (const reply of await matrix.sendPages(asker, operation, asked))
      assert.deepEqual(leaksIn(reply, asker), [], told(asked, reply))
    return
  }
  const reply = await matrix.send(asker, asked)
  const answer = told(asked, reply)
  assert.deepEqual(leaksIn(reply, asker, named), [], answer)
  const absent = missing(area, named)
  const ofAbsent = await matrix.send(asker, ask(absent))
  const { environment } = reply.body?.details ?? {}
  const isElsewhere = reply.body?.code === 'not_found' && environment !== undefined
  // It is in the other environment of the caller's own workspace, which the caller reaches as a whole.
  if (isElsewhere) assert.ok(asker.isWhole === true && environment !== asker.environment, answer)
  const compared = isElsewhere ? withoutEnvironment(reply) : reply
  assert.deepEqual(comparable(compared, area, named), comparable(ofAbsent, absent, named))
  const isNamedIn = (text: string) => [...named].some(slot => text.includes(area.ids[slot]))
  if (!isNamedIn(asked.path)) return assert.ok(isSafe || reply.status >= 400, answer)
  // A faulty body is told of before what the path names is looked for.
  const isFaulty = reply.status === 400 && isNamedIn(JSON.stringify(asked.body ?? ''))
  assert.ok(reply.status === 404 || isFaulty, answer)
}

test('nothing was changed by all these requests', { timeout }, async () => {
  assert.equal(await countChanges(), changesBefore)
})

/** By the audit log, which every change is written to; an export is too, and changes nothing. */
async function countChanges(): Promise<number> {
  const { count } = await world.app.dependencies.database.read
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('action', '<>', 'collection.export')
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('each of these requests was valid: the caller whom it is for is obeyed', { timeout }, async t => {
  for (const [area, environment] of [
    [world.sandbox, 'test'],
    [world.kept, 'live'],
  ] as const) {
    const owner = { name: 'the owner', token: await ownerOf(world, environment) }
    const author = {
      name: 'a key',
      token: (environment === 'live' ? world.app.liveKey : world.app.testKey).key,
    }
    const others: Record<string, Asker> = {
      ...Object.fromEntries(ofAuthors.map(id => [id, author])),
      leaveWorkspace: await someone('viewer', environment),
      transferWorkspace: await someone('owner', environment),
      // Only keys make them.
      createBrowserToken: author,
      // A person would have to name a key.
      setPublicChat: author,
    }
    await matrix.walk([owner], inOrder(operations), async (_, operation) => {
      const ask = usualRequest(operation, area)
      if (operation.id === 'reprocessDocument') await documentIsSettled(area, owner.token)
      const reply = await matrix.send(others[operation.id] ?? owner, ask)
      const isClosed = environment === 'test' && operation.isLiveOnly
      assert.ok(isClosed ? reply.body?.code === 'sandbox_forbidden' : reply.status < 300, told(ask, reply))
    })
  }
  const { callers, requests, refusals } = matrix.counts
  t.diagnostic(
    `${operations.length} operations, ${callers} callers, ${requests} requests, ${refusals} refusals`,
  )
})

/** The requests before gave it a new version. */
const documentIsSettled = (area: Area, key: string): Promise<void> =>
  eventually('the document is read', async () => {
    const { body } = await world.app.request('GET', `/knowledge/documents/${area.ids.document}`, { key })
    return ['ready', 'failed'].includes(body.data.status)
  })

const someone = async (role: Role, environment: Environment): Promise<Asker> => ({
  name: role,
  token: await (await newPerson(world.app, role)).token({ environment }),
})

/** Reads, then changes, then deletions from the innermost to the workspace. */
function inOrder(all: readonly Operation[]): Operation[] {
  const isDeletion = ({ method }: Operation) => method === 'DELETE'
  const last = ['emptyTrash', 'deleteWorkspace']
  return [
    ...all.filter(({ isRead }) => isRead),
    ...all.filter(operation => !operation.isRead && !isDeletion(operation)),
    ...all.filter(operation => isDeletion(operation) && !last.includes(operation.id)).reverse(),
    ...last.flatMap(id => all.filter(operation => operation.id === id)),
  ]
}
