/** Whatever a limited caller reads is equal with and without what is withheld from it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IdKind, idPrefixes } from './platform/ids.ts'
import { signIn } from './testing/apps/signed-in.ts'
import { addToTeam, createTeam, join } from './testing/apps/team-access.ts'
import { testEngine } from './testing/database.ts'
import type { TestKey } from './testing/test-app.ts'
import { differences, look, type Seen, unanswered } from './testing/worlds/look.ts'
import { addAgent, addCollection, addRuns, listenedTypes } from './testing/worlds/parts.ts'
import { type Ids, merged, startWorld, type World } from './testing/worlds/world.ts'

const words = ['open', 'kept', 'hidden', 'personal']
const hourMs = 3_600_000
/** Many thousand requests, one after the other: fifteen minutes on a machine that is busy with other work. */
const timeout = 20 * 60_000

const kinds: Record<string, IdKind> = {
  agents: 'agent',
  schedules: 'schedule',
  triggers: 'trigger',
  'browser-tokens': 'browserToken',
  runs: 'run',
  conversations: 'conversation',
  collections: 'collection',
  documents: 'document',
  uploads: 'upload',
  syncs: 'sync',
  connectionSyncs: 'connectionSync',
  imports: 'import',
  events: 'event',
  webhooks: 'webhook',
  deliveries: 'webhookDelivery',
  callbacks: 'webhookDelivery',
  integrations: 'connection',
  'api-keys': 'key',
  requests: 'request',
}
/** An id of each kind that nothing has. */
const absent: Ids = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([noun, kind]) => [noun, [`${idPrefixes[kind]}_${'0'.repeat(26)}`]]),
  ),
  externalIds: ['nothing-1'],
}

type Callers = Record<string, TestKey>

const [toAgents, toCollection] = ['a key narrowed to agents', 'a key narrowed to a collection']

/**
 * Both keys of an owner who reaches everything, and those of members from whom a team keeps something. On PostgreSQL those
 * who have all conditions on rows between them.
 */
async function createCallers({ app }: World, agentIds: string[], collectionIds: string[]): Promise<Callers> {
  const userId = app.ownerId
  const callers = {
    'a key narrowed to both': await app.createKey({ userId, agentIds, collectionIds }),
    'a member outside the team': (await join(app)).key,
    'a narrowed key of a member outside the team': await app.createKey({ role: 'member', collectionIds }),
  }
  if (testEngine === 'postgres') return callers
  return {
    ...callers,
    [toCollection]: await app.createKey({ userId, collectionIds }),
    [toAgents]: await app.createKey({ userId, agentIds }),
    'a viewer outside the team': (await join(app, { role: 'viewer' })).key,
  }
}

/** So many of the newest requests of the audit log. */
const mostRequests = 5

/** Deliveries to the endpoints, all events and callbacks but those that are known, and requests, as the owner is told of them. */
async function addTold({ ask }: World, ids: Ids, known: Ids = {}): Promise<Ids> {
  const of = async (path: string) =>
    ((await ask('GET', `${path}?pageSize=100`)) as { id: string }[]).map(({ id }) => id)
  const deliveries = await Promise.all((ids.webhooks ?? []).map(id => of(`/webhooks/${id}/deliveries`)))
  const events = (await of('/events')).filter(id => !known.events?.includes(id))
  const callbacks = (await of('/callbacks/deliveries')).filter(id => !known.callbacks?.includes(id))
  const entries = (await ask('GET', '/audit-log?pageSize=100')) as { requestId: string }[]
  const requests = [...new Set(entries.map(({ requestId }) => requestId))].slice(0, mostRequests)
  return merged(ids, {
    deliveries: deliveries.flatMap(some => some.slice(0, 1)),
    callbacks,
    events,
    requests,
  })
}

test('what a limited caller reads is equal with and without the collections and agents that are withheld from it', {
  timeout,
}, async t => {
  const world = await startWorld(t)
  const { app, ask, idOf } = world
  const teamId = await createTeam(app, 'Guards')
  const withheld = { access: 'teams' as const, teamIds: [teamId] }
  const url = `${world.receiverOrigin}/v1`
  const open = await addCollection(world, 'open')
  const [collectionId = ''] = open.collections ?? []
  const openAgent = await addAgent(world, 'open', collectionId)
  const searcher = await idOf('/agents', { name: 'Searcher', tools: ['search_knowledge'] })
  // A run in progress is there for those members alone from whom nothing is withheld; so something is, all along.
  const first = await addCollection(world, 'first', withheld)
  const connectionIds = first.integrations
  const asker = await idOf('/agents', {
    name: 'Asker',
    model: 'openai/test-model',
    tools: ['scripted_recall'],
    connectionIds,
  })
  const agents = { searcher, asker }
  const agentIds = [openAgent.agents?.[0] ?? '', searcher, asker]
  await ask('POST', '/callbacks/secret/rotate', {})
  const guard = await join(app)
  await addToTeam(app, teamId, guard)
  const person = await signIn(app, String(guard.key.caller.userId))
  const callers = await createCallers(world, agentIds, [collectionId])
  let own = merged(open, openAgent, {
    agents: [searcher, asker],
    teams: [teamId],
    members: (await ask('GET', '/workspace/members')).map(({ id }: { id: string }) => id),
    invitations: [await idOf('/workspace/members/invite', { email: 'ada@example.com', role: 'member' })],
    'model-providers': [
      await idOf('/model-providers', { name: 'acme', kind: 'openai_compatible', baseUrl: url, apiKey: 'sk' }),
    ],
  })
  for (const key of Object.values(callers)) {
    const { role } = key.caller
    if (role !== 'viewer') own = merged(own, await addRuns(world, agents, 'open', key))
    if (role === 'owner')
      own = merged(own, { webhooks: [await idOf('/webhooks', { url, eventTypes: listenedTypes }, key)] })
  }
  const lookAs = (name: string, foreign: Ids): Promise<Seen> =>
    look(world, callers[name] ?? app.liveKey, { own, foreign, words })
  await ask('PUT', '/oauth-clients/github', { clientId: 'client', clientSecret: 'secret' })
  await world.settle()
  own = await addTold(world, own)
  const lookAtAll = (foreign: Ids) => look(world, app.liveKey, { own, foreign, words })
  const whole = await lookAtAll(absent)
  const before: Record<string, Seen> = {}
  for (const name of Object.keys(callers)) before[name] = await lookAs(name, absent)
  // Persons leave, and keys do not; this server has no model for vectors; conversations of OpenAI's clients are theirs.
  assert.deepEqual(unanswered(world, { own, foreign: absent, words }, [whole, ...Object.values(before)]), [
    'leaveWorkspace',
    'createOpenAiEmbeddings',
    'getOpenAiConversation',
    'listOpenAiConversationItems',
    'getOpenAiConversationItem',
  ])
  let known = own
  const found: string[] = []

  /** The ids of what was made, and of all that tells of it. */
  async function foreignOf(part: Ids): Promise<Ids> {
    await world.settle()
    const told = await addTold(world, part, known)
    known = merged(known, told)
    const { waitingRuns = [], ...foreign } = merged(told, { externalIds: [] })
    return merged(foreign, { runs: waitingRuns })
  }

  /** What is foreign has to be answered as what is absent; everything else as it was before. */
  async function compare(name: string, foreign: Ids): Promise<void> {
    const after = await lookAs(name, foreign)
    found.push(...differences(before[name] ?? new Map(), after).map(one => `${name}: ${one}`))
  }

  // Older and younger than what the callers reach.
  let others: Ids = {}
  for (const age of [hourMs, 0]) {
    world.setAge(age)
    const kept = await addCollection(world, 'kept', withheld)
    others = merged(others, kept, await addRuns(world, agents, 'kept'))
    // A conversation of a person is told of by the events of its runs alone, without their texts.
    others = merged(others, await addRuns(world, agents, 'personal', await person.token()))
  }
  others = await foreignOf(others)
  if (callers[toCollection] !== undefined) await compare(toCollection, others)
  // It reaches every run of its agents, and no other agent.
  if (callers[toAgents] !== undefined) before[toAgents] = await lookAs(toAgents, absent)
  let hidden: Ids = {}
  for (const age of [hourMs, 0]) {
    world.setAge(age)
    hidden = merged(hidden, await addAgent(world, 'hidden', collectionId, withheld))
  }
  hidden = await foreignOf(hidden)
  if (callers[toAgents] !== undefined) await compare(toAgents, hidden)
  // All of it at once: what each of these callers is told of any part would show.
  for (const name of Object.keys(callers).filter(caller => caller !== toAgents && caller !== toCollection))
    await compare(name, merged(others, hidden))
  // Otherwise the comparison would prove nothing.
  assert.ok(differences(whole, await lookAtAll(absent)).length > 50)
  assert.equal(found.length, 0, `${found.length} differences\n${found.join('\n')}`)
})
