/** What reads ask of the database, counted without a clock: a change that makes one dearer is seen here. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { StatementSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { createAgentIn } from './testing/apps/agent-app.ts'
import { createCollection, uploadAndWait } from './testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from './testing/test-app.ts'

type Cost = { statements: number; values: number }

/** Of the request in progress: the work beside requests is not counted. */
const counting = new AsyncLocalStorage<Cost>()
const { all } = StatementSync.prototype
const requests = 4

let app: TestApp
before(async () => {
  app = await startTestApp()
  StatementSync.prototype.all = function counted(this: StatementSync, ...values: unknown[]) {
    const rows = Reflect.apply(all, this, values)
    const cost = counting.getStore()
    if (cost !== undefined) {
      // SQLite would plan it at each run, and that takes longer than the run.
      assert.doesNotMatch(this.sourceSQL, /\b(limit|offset) \?(?! \+)/i)
      cost.statements += 1
      cost.values += rows.reduce((sum: number, row: object) => sum + Object.keys(row).length, 0)
    }
    return rows
  }
})
after(async () => {
  StatementSync.prototype.all = all
  await app.close()
})

async function costOf(path: string): Promise<Cost> {
  const headers = { authorization: `Bearer ${app.liveKey.key}` }
  // It is sent once it is waited for.
  const ask = async () => await app.app.server.inject({ method: 'GET', url: `/api/v1${path}`, headers })
  const costs: Cost[] = []
  // A request that reads who asks costs more, and one of several does not.
  for (let asked = 0; asked < requests; asked++) {
    const cost = { statements: 0, values: 0 }
    const { statusCode } = await counting.run(cost, ask)
    assert.equal(statusCode, 200)
    costs.push(cost)
  }
  return costs.reduce((least, cost) => (cost.values < least.values ? cost : least))
}

test('reads ask the database no more often, and for no more values, than they did', async () => {
  const agent = await createAgentIn(app, { model: 'extractive' })
  const collectionId = await createCollection(app)
  for (const name of ['first', 'second']) {
    await uploadAndWait(app, { collectionId, name: `${name}.txt`, content: `The ${name} text.` })
    await app.request('POST', `/agents/${agent.id}/run`, { body: { prompt: `Where is the ${name} text?` } })
  }
  const costs: Record<string, Cost> = {}
  for (const path of [
    '/agents',
    `/agents/${agent.id}`,
    '/knowledge/documents',
    '/knowledge/collections',
    `/agents/${agent.id}/runs`,
    '/runs?pageSize=1',
  ]) {
    costs[path.replace(agent.id, ':id')] = await costOf(path)
  }
  // Each value is a column of a row, and a statement that finds nothing has none.
  assert.deepEqual(costs, {
    '/agents': { statements: 1, values: 24 },
    '/agents/:id': { statements: 1, values: 33 },
    '/knowledge/documents': { statements: 1, values: 2 * 21 },
    '/knowledge/collections': { statements: 1, values: 15 },
    // The id of the agent, the runs, and which of their steps may have been estimated.
    '/agents/:id/runs': { statements: 3, values: 1 + 2 * 38 },
    // The sum of all agents' runs, and the number of those that others have, give the total of a longer list.
    '/runs?pageSize=1': { statements: 4, values: 2 * 38 + 2 },
  })
})
