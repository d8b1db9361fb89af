import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { statement, statementInScope } from './statement.ts'
import { reachesAgent } from './within-reach.ts'

test('a statement is built once and takes new values each time, in a transaction and outside of one', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  let built = 0
  const insert = statement((tx, row: { name: string; value: string }) => {
    built++
    return tx.insertInto('meta').values({ name: row.name, value: row.value })
  })
  const find = statement((query, { name }: { name: string }) =>
    query.selectFrom('meta').selectAll().where('name', '=', name),
  )
  await database.write(async tx => {
    for (const name of ['first', 'second']) {
      const { numAffectedRows } = await insert(tx, { name, value: `of ${name}` })
      assert.equal(numAffectedRows, 1n)
    }
    assert.deepEqual((await find(tx, { name: 'first' })).rows, [{ name: 'first', value: 'of first' }])
  })
  assert.equal(built, 1)
  assert.deepEqual((await find(database.read, { name: 'second' })).rows, [
    { name: 'second', value: 'of second' },
  ])
  assert.deepEqual((await find(database.read, { name: 'third' })).rows, [])
})

test('a statement in a scope has one text for all keys and one for all persons, and narrows what is narrowed', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  let built = 0
  const find = statementInScope((scope, query, { name }: { name?: string }) => {
    built++
    const { workspaceId, reader } = scope
    const found = query
      .selectFrom('meta')
      .selectAll()
      .where('value', 'in', [workspaceId, reader?.personId ?? 'no person'])
      .orderBy('name')
    const reached = reachesAgent(scope, 'name')
    const narrowed = reached === null ? found : found.where(reached)
    return name === undefined ? narrowed : narrowed.where('name', '=', name)
  })
  await database.write(async tx => {
    for (const [name, value] of [
      ['agent 1', 'workspace 1'],
      ['agent 2', 'workspace 1'],
      ['agent 3', 'workspace 2'],
      ['agent 4', 'person'],
    ] as const) {
      await tx.insertInto('meta').values({ name, value }).execute()
    }
  })
  const named = async (scope: object, name?: string): Promise<string[]> => {
    const whole = { workspaceId: 'workspace 1', environment: 'live', ...scope } as const
    const { rows } = await find(whole, database.read, name === undefined ? {} : { name })
    return rows.map(row => row.name)
  }
  const reader = (personId: string, ...openedIds: string[]) => ({ reader: { personId, openedIds } })
  assert.deepEqual(await named({}), ['agent 1', 'agent 2'])
  assert.deepEqual(await named({ workspaceId: 'workspace 2' }), ['agent 3'])
  assert.deepEqual(await named(reader('person')), ['agent 1', 'agent 2', 'agent 4'])
  assert.deepEqual(await named(reader('another person')), ['agent 1', 'agent 2'])
  assert.deepEqual(await named({}, 'agent 2'), ['agent 2'])
  assert.equal(built, 3)
  assert.deepEqual(await named({ agentIds: ['agent 2'] }), ['agent 2'])
  assert.deepEqual(await named({ agentIds: [] }), [])
  assert.deepEqual(
    await named({ withheld: { userId: 'person', collectionIds: [], agentIds: ['agent 2'] } }),
    ['agent 1'],
  )
  assert.deepEqual(await named(reader('person', 'opened')), ['agent 1', 'agent 2', 'agent 4'])
  assert.deepEqual(await named({}), ['agent 1', 'agent 2'])
  assert.equal(built, 7)
})
