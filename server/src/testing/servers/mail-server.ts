/** A real SMTP server on loopback that keeps what it receives, for tests. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = { sender: string; recipients: string[]; raw: string }

type MailServer = {
  /** The address for `SMTP_URL`, with user and password where the server asks for them. */
  url: string
  /** What has arrived, oldest first. */
  received: ReceivedMail[]
  close(): Promise<void>
}

/**
 * Stops with the test. `refuse` names recipients and the SMTP code that they are refused with; no mail is
 * taken on before `opens`.
 */
export async function startMailServer(
  t: { after: (close: () => Promise<void>) => void },
  options: { user?: string; password?: string; refuse?: Record<string, number>; opens?: Promise<void> } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const { user, password, refuse = {}, opens = Promise.resolve() } = options
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onAuth(given, _session, done) {
      const right = given.username === user && given.password === password
      done(right ? null : new Error('wrong user or password'), right ? { user } : undefined)
    },
    onRcptTo(address, _session, done) {
      const responseCode = refuse[address.address]
      done(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', piece => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        void opens.then(() => {
          received.push({
            sender: mailFrom === false ? '' : mailFrom.address,
            recipients: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(pieces).toString(),
          })
          done()
        })
      })
    },
  })
  // A client that breaks off is part of what the tests do.
  server.on('error', () => undefined)
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await new Promise<void>(resolve => server.close(resolve))
  }
  t.after(close)
  const { port } = server.server.address() as AddressInfo
  const login = user === undefined ? '' : `${user}:${password}@`
  return { url: `smtp://${login}127.0.0.1:${port}`, received, close }
}
