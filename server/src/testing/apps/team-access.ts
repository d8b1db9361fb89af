/** A workspace in which one collection is kept to a team: with somebody of the team, and a member who is in none. */
import assert from 'node:assert/strict'
import { createCollection, uploadAndWait } from '../knowledge/knowledge.ts'
import type { TestApp, TestKey } from '../test-app.ts'

export type WithheldKnowledge = {
  teamId: string
  /** A member's keys, each with the member's id. */
  insider: Person
  outsider: Person
  open: { collectionId: string; documentId: string }
  /** Only the team reaches it. */
  kept: { collectionId: string; documentId: string }
}

export type Person = { key: TestKey; memberId: string }

export async function createTeam(app: TestApp, name: string): Promise<string> {
  const reply = await app.request('POST', '/workspace/teams', { body: { name } })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.data.id
}

/** A new member with a key of theirs. */
export async function join(app: TestApp, options: Parameters<TestApp['createKey']>[0] = {}): Promise<Person> {
  const key = await app.createKey({ role: 'member', ...options })
  const { data } = (await app.request('GET', '/workspace/members', { query: { pageSize: 100 } })).body
  const { id } = data.find((member: { userId: string }) => member.userId === key.caller.userId)
  return { key, memberId: id }
}

export const addToTeam = async (app: TestApp, teamId: string, { memberId }: Person): Promise<void> => {
  const reply = await app.request('PUT', `/workspace/teams/${teamId}/members/${memberId}`)
  assert.equal(reply.status, 200)
}

export const removeFromTeam = async (app: TestApp, teamId: string, { memberId }: Person): Promise<void> => {
  const reply = await app.request('DELETE', `/workspace/teams/${teamId}/members/${memberId}`)
  assert.equal(reply.status, 204)
}

/** Keeps a collection or an agent to teams. */
export async function keepTo(app: TestApp, path: string, teamIds: string[]): Promise<void> {
  const reply = await app.request('PATCH', path, { body: { access: 'teams', teamIds } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

export async function keepKnowledge(app: TestApp): Promise<WithheldKnowledge> {
  const write = async (name: string, content: string) => {
    const collectionId = await createCollection(app, app.liveKey, name)
    const { id } = await uploadAndWait(app, { collectionId, name: `${name}.txt`, content, key: app.liveKey })
    return { collectionId, documentId: id as string }
  }
  const open = await write('canteen', 'The canteen serves lunch from nine.')
  const kept = await write('vault', 'Guards unlock the vault around midnight saying xyzzy.')
  const teamId = await createTeam(app, 'Guards')
  const insider = await join(app)
  const outsider = await join(app)
  await addToTeam(app, teamId, insider)
  await keepTo(app, `/knowledge/collections/${kept.collectionId}`, [teamId])
  return { teamId, insider, outsider, open, kept }
}

/** Whatever can be asked of a run and its conversation. It is to be compared with a run of the same agent. */
const asksOfRun = ({ id, conversationId }: WithheldRun, otherId: string) =>
  [
    ['GET', `/runs/${id}`],
    ['GET', `/runs/${id}/events`],
    ['GET', `/runs/${id}/comparison?with=${otherId}`],
    ['POST', `/runs/${id}/cancel`],
    ['POST', `/runs/${id}/rerun`, {}],
    ['POST', `/runs/${id}/feedback`, { rating: 'positive' }],
    ['GET', `/conversations/${conversationId}`],
    ['GET', `/conversations/${conversationId}/runs`],
    ['PATCH', `/conversations/${conversationId}`, { name: 'Mine' }],
    ['POST', `/conversations/${conversationId}/branch`, { runId: id }],
    ['DELETE', `/conversations/${conversationId}`],
  ] as const

type WithheldRun = { id: string; conversationId: string }

/** That nothing of the run is there for the outsider, who may ask whatever there is, and all of it for the insider. */
export async function assertWithheld(
  app: TestApp,
  run: WithheldRun,
  otherId: string,
  { insider, outsider }: { insider: Person; outsider: Person },
): Promise<void> {
  for (const [method, path, body] of asksOfRun(run, otherId)) {
    const options = body === undefined ? {} : { body }
    const refused = await app.request(method, path, { key: outsider.key, ...options })
    assert.equal(refused.status, 404, `${method} ${path}`)
    if (method === 'GET')
      assert.equal((await app.request(method, path, { key: insider.key })).status, 200, path)
  }
  const body = { prompt: '?', conversationId: run.conversationId }
  const { agentId } = (await app.request('GET', `/runs/${run.id}`)).body.data
  const goneOn = await app.request('POST', `/agents/${agentId}/run`, { body, key: outsider.key })
  assert.deepEqual([goneOn.status, goneOn.body.errors[0].field], [400, 'conversationId'])
}
