/** Rows that are locked to be read: SQLite needs no locks, and requests through HTTP rarely meet at the moment that matters. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { lockPart } from './features/agents/conversations/conversation-store.ts'
import { lockTree } from './features/agents/records/tool-calls-store.ts'
import {
  insertForeignAccount,
  lockForeignAccount,
  lockPassword,
  lockTwoFactor,
  putPassword,
  putTwoFactor,
} from './features/identity/store.ts'
import { lockGiver } from './features/oauth/store.ts'
import { lockPerson } from './features/persons/service.ts'
import { lockWorkspaceRow } from './features/workspaces/records/members-store.ts'
import type { Tx } from './platform/database/database.ts'
import { createAgentIn } from './testing/apps/agent-app.ts'
import { waitsForLock } from './testing/database.ts'
import { eventually } from './testing/eventually.ts'
import { startTestApp, type TestApp } from './testing/test-app.ts'

const issuer = 'https://sign-on.example.com'
const subject = 'ada'

let app: TestApp
let run: { id: string; conversationId: string }

before(async () => {
  app = await startTestApp()
  const { id } = await createAgentIn(app, { tools: [] }, app.testKey)
  const options = { body: { prompt: 'Hello' }, headers: { prefer: 'wait=20' }, key: app.testKey }
  run = (await app.request('POST', `/agents/${id}/run`, options)).body.data
  await app.dependencies.database.write(async tx => {
    const { ownerId: userId } = app
    const times = { created_at: 1, updated_at: 1 }
    await putPassword(tx, { id: 'acc_own', userId, password: 'hash', now: 1 })
    const foreign = { id: 'acc_foreign', user_id: userId, issuer, account_id: subject, provider_id: 'sso' }
    await insertForeignAccount(tx, { ...foreign, ...times })
    await putTwoFactor(tx, { id: 'two_1', user_id: userId, secret: 'sealed', backup_codes: 'sealed' })
  })
})
after(() => app.close())

const locks: Record<string, (tx: Tx) => Promise<unknown>> = {
  'a conversation': tx => lockPart(tx, run.conversationId),
  'a run and its parts': tx => lockTree(tx, run.id),
  'a password': tx => lockPassword(tx, app.ownerId),
  'an account of a single sign-on': tx => lockForeignAccount(tx, issuer, subject),
  'a second factor': tx => lockTwoFactor(tx, app.ownerId),
  'the giver of a key to an app': tx => lockGiver(tx, app.ownerId),
  'the maker of a workspace': tx => lockPerson(tx, app.ownerId),
  'a workspace': tx => lockWorkspaceRow(tx, app.workspaceId),
}

for (const [what, lock] of Object.entries(locks)) {
  test(`of two who lock ${what}, the second waits until the transaction of the first has ended`, async () => {
    const { database } = app.dependencies
    const steps: string[] = []
    const locked = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<number>()
    const first = database.write(async tx => {
      await lock(tx)
      locked.resolve()
      const pid = await connected.promise
      await eventually(
        'the second waits for a lock, or has needed none',
        async () => steps.length > 0 || (await waitsForLock(database, pid)),
      )
      steps.push('first')
    })
    await locked.promise
    const second = database.write(async tx => {
      connected.resolve(await ownPid(tx))
      await lock(tx)
      steps.push('second')
    })
    await Promise.all([first, second])
    assert.deepEqual(steps, ['first', 'second'])
  })
}

async function ownPid(tx: Tx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
  return rows[0]?.pid ?? 0
}
