import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startMailServer } from '../../testing/servers/mail-server.ts'
import { createMailer, MailError } from './mailer.ts'

const from = 'Atrium <atrium@example.com>'
const mail = { to: 'ada@example.com', subject: 'Grüße 🌱', text: 'Plain – text', html: '<p>Plain – text</p>' }

test('without a mail server the mailer says that it is not available, and refuses to send', async () => {
  const mailer = createMailer({ smtpUrl: null, from })
  assert.equal(mailer.available, false)
  await assert.rejects(mailer.send(mail), /set SMTP_URL/)
  await assert.rejects(mailer.verify(), /set SMTP_URL/)
})

test('a message arrives with its sender, its one recipient, its subject, text and HTML', async t => {
  const server = await startMailServer(t)
  const mailer = createMailer({ smtpUrl: server.url, from })
  assert.equal(mailer.available, true)
  await mailer.verify()
  await mailer.send(mail)
  const [received] = server.received
  assert.deepEqual(received?.recipients, ['ada@example.com'])
  assert.equal(received?.sender, 'atrium@example.com')
  assert.match(received?.raw ?? '', /^From: Atrium <atrium@example.com>/m)
  assert.match(received?.raw ?? '', /^Subject: =\?UTF-8\?/m)
  assert.match(received?.raw ?? '', /Content-Type: text\/plain[\s\S]*Content-Type: text\/html/)
})

test('user and password of the address are sent, and a wrong password is a clear error without it', async t => {
  const server = await startMailServer(t, { user: 'mail', password: 'right-password' })
  await createMailer({ smtpUrl: server.url, from }).send(mail)
  assert.equal(server.received.length, 1)
  const wrong = server.url.replace('right-password', 'wrong-password')
  await assert.rejects(createMailer({ smtpUrl: wrong, from }).send(mail), (error: MailError) => {
    assert.ok(error instanceof MailError)
    assert.match(error.message, /535/)
    assert.doesNotMatch(error.message, /wrong-password/)
    return true
  })
})

test('a recipient cannot smuggle in a second one, nor a subject a header', async t => {
  const server = await startMailServer(t)
  const mailer = createMailer({ smtpUrl: server.url, from })
  const attempts = ['ada@example.com, eve@example.com', 'ada@example.com>\r\nRCPT TO:<eve@example.com']
  for (const to of attempts)
    await mailer.send({ ...mail, to }).catch(error => assert.ok(error instanceof MailError))
  assert.ok(server.received.every(({ recipients }) => !recipients.includes('eve@example.com')))
  await mailer.send({ ...mail, subject: 'Hello\r\nBcc: eve@example.com' })
  const last = server.received.at(-1)
  assert.deepEqual(last?.recipients, ['ada@example.com'])
  assert.doesNotMatch(last?.raw ?? '', /^Bcc:/m)
})

test('a refusal for good is not worth a retry, a passing one is, and both quote the server', async t => {
  const server = await startMailServer(t, { refuse: { 'gone@example.com': 550, 'busy@example.com': 451 } })
  const mailer = createMailer({ smtpUrl: server.url, from })
  await assert.rejects(mailer.send({ ...mail, to: 'gone@example.com' }), { retryable: false, message: /550/ })
  await assert.rejects(mailer.send({ ...mail, to: 'busy@example.com' }), { retryable: true, message: /451/ })
})

test('a server that accepts the connection and stays silent is given up in time', async t => {
  const url = await startSilentServer(t)
  const mailer = createMailer({ smtpUrl: url, from, timeoutMs: 150 })
  await assert.rejects(mailer.send(mail), { name: 'MailError', retryable: true })
  await assert.rejects(mailer.verify(), { name: 'MailError', retryable: true })
})

test('a server that keeps talking without an end is given up in time', async t => {
  const url = await startSilentServer(t, socket => {
    const timer = setInterval(() => socket.write('220-welcome\r\n'), 20)
    socket.once('close', () => clearInterval(timer))
  })
  const mailer = createMailer({ smtpUrl: url, from, timeoutMs: 200 })
  await assert.rejects(mailer.send(mail), { name: 'MailError', retryable: true })
})

test('no server at the address is an error worth a retry', async t => {
  const server = await startMailServer(t)
  await server.close()
  await assert.rejects(createMailer({ smtpUrl: server.url, from }).send(mail), { retryable: true })
})

async function startSilentServer(
  t: TestContext,
  talk: (socket: Socket) => void = () => undefined,
): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `smtp://127.0.0.1:${address.port}`
}
