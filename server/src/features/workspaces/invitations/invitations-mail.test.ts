import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { dayMs } from '../../../platform/clock.ts'
import { createKeyring } from '../../../platform/crypto/keyring.ts'
import { createIds } from '../../../platform/ids.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createWorker } from '../../../platform/jobs/worker.ts'
import { createLog } from '../../../platform/log.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { startMailServer } from '../../../testing/servers/mail-server.ts'
import { callerOf, insertPerson, insertWorkspace } from '../../../testing/workspace.ts'
import { createAuditService } from '../../audit/service.ts'
import { findByTokenHash } from '../records/invitations-store.ts'
import {
  createInvitationMailQueue,
  createInvitationService,
  type InvitationService,
  invitationMail,
  invitationMailQueue,
} from './invitations-service.ts'

const email = 'grace@example.com'

test('an invitation is mailed with a link that opens it, and the reply and the database hold no link', async t => {
  const server = await startMailServer(t)
  const { database, keyring, invitations, caller, startWorker } = await setUp(t, server.url)
  const { row, acceptUrl } = await invitations.create(caller, { email, message: 'Dear <Grace> & co' })
  assert.deepEqual([row.delivery, acceptUrl], ['queued', null])
  startWorker()
  assert.equal((await settled(invitations, caller, row.id)).delivery, 'sent')
  const [mail] = server.received
  assert.deepEqual(mail?.recipients, [email])
  const text = decodeQuotedPrintable(mail?.raw ?? '')
  const token = /https:\/\/atrium\.example\.com\/invitations\/([0-9A-Za-z]{43})/.exec(text)?.[1] ?? ''
  const opened = await findByTokenHash(database.read, keyring.keyedHash('token', token))
  assert.equal(opened?.id, row.id)
  assert.ok(text.includes('Dear <Grace> & co'), 'the plain text shows the message as it is')
  assert.ok(text.includes('Dear &#60;Grace&#62; &#38; co'), 'the HTML shows it escaped')
  const jobs = await database.read.selectFrom('jobs').select('payload').execute()
  assert.ok(jobs.length === 1 && !JSON.stringify(jobs).includes(token))
})

test('a mail server that refuses the address for good ends as a failure that quotes it', async t => {
  const server = await startMailServer(t, { refuse: { [email]: 550 } })
  const { invitations, caller, startWorker } = await setUp(t, server.url)
  const { row } = await invitations.create(caller, { email })
  startWorker()
  const failed = await settled(invitations, caller, row.id)
  assert.equal(failed.delivery, 'failed')
  assert.match(failed.delivery_error ?? '', /550 refused/)
})

test('an invitation that was revoked, sent again or has expired meanwhile is not mailed', async t => {
  const server = await startMailServer(t)
  const { database, invitations, caller, clock, startWorker } = await setUp(t, server.url)
  const revoked = await invitations.create(caller, { email: 'revoked@example.com' })
  await invitations.revoke(caller, revoked.row.id, null)
  await invitations.create(caller, { email: 'late@example.com' })
  clock.now += 8 * dayMs
  const resent = await invitations.create(caller, { email })
  await invitations.resend(caller, resent.row.id, null)
  startWorker()
  assert.equal((await settled(invitations, caller, resent.row.id)).delivery, 'sent')
  // The mails of the other two would have been sent by jobs, too.
  await eventually(
    'every job has ended',
    async () =>
      (await database.read.selectFrom('jobs').select('id').where('finished_at', 'is', null).execute())
        .length === 0,
  )
  assert.deepEqual(
    server.received.map(({ recipients }) => recipients),
    [[email]],
  )
})

test('names and words of others cannot become markup in the mail', () => {
  const mail = invitationMail(
    {
      email,
      workspace_name: '<script>alert(1)</script>',
      inviter_name: '"><img src=x>',
      message: '</blockquote><a href="https://evil.example">',
      role: 'member',
      expires_at: 0,
    },
    'https://atrium.example.com/invitations/token',
  )
  assert.doesNotMatch(mail.html, /<script|<img|evil\.example">/)
})

async function setUp(t: TestContext, smtpUrl: string) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const clock = { now: Date.parse('2026-11-21T09:30:00Z') }
  const newId = createIds(() => clock.now)
  const jobs = createJobs({ database, newId })
  const dependencies = {
    database,
    clock: () => clock.now,
    newId,
    jobs,
    keyring: createKeyring('a secret that only tests have, of enough characters'),
    mailer: createMailer({ smtpUrl, from: 'Atrium <atrium@example.com>' }),
    publicUrl: () => 'https://atrium.example.com',
    memberLimit: () => 100,
  }
  const audit = createAuditService(dependencies)
  const workspaceId = await insertWorkspace(database)
  const owner = await insertPerson(database, workspaceId, 'owner')
  const startWorker = () => {
    const worker = createWorker({ jobs, log: createLog({ level: 'silent' }), pollMs: 20 })
    worker.serve({ [invitationMailQueue]: createInvitationMailQueue(dependencies) })
    worker.start()
    t.after(() => worker.drain(5_000))
  }
  return {
    ...dependencies,
    clock,
    startWorker,
    caller: callerOf(workspaceId, owner, 'owner'),
    invitations: createInvitationService({ ...dependencies, audit }),
  }
}

async function settled(invitations: InvitationService, caller: ReturnType<typeof callerOf>, id: string) {
  const row = () => invitations.get(caller, id)
  await eventually('the mail leaves the queue', async () => (await row()).delivery !== 'queued')
  return row()
}

const decodeQuotedPrintable = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
