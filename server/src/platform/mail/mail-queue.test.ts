import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { createTestJobs } from '../../testing/jobs.ts'
import { startMailServer } from '../../testing/servers/mail-server.ts'
import { createMailer, mailQueue } from './mailer.ts'

test('a workspace with 200 mails delays the mail of another by one turn', async t => {
  const server = await startMailServer(t)
  const { database, jobs, enqueue, startWorker } = await createTestJobs(t)
  await database.write(async tx => {
    for (let i = 0; i < 200; i++)
      await jobs.enqueue(tx, { queue: 'test', workspaceId: 'wsp_big', payload: 'big@example.com' })
  })
  await enqueue({ workspaceId: 'wsp_small', payload: 'small@example.com' })
  const queue = mailQueue<string>({
    mailer: createMailer({ smtpUrl: server.url, from: 'Atrium <atrium@example.com>' }),
    maxAttempts: 1,
    maxBackoffMs: 1,
    write: async to => ({ to, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }),
    refused: async () => undefined,
  })
  startWorker({ test: queue })
  const place = () => server.received.findIndex(({ recipients }) => recipients.includes('small@example.com'))
  await eventually('the small one arrived', () => place() !== -1)
  // A turn of each of the two that are sent at once.
  assert.ok(place() <= 3, `It was number ${place()}`)
})
