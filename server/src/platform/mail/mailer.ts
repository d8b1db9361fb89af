/** Mail over SMTP: one message to one person, within a bounded time. Without a mail server, callers get an error. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Transporter } from 'nodemailer'
import { minuteMs, secondMs } from '../clock.ts'
import type { Job, Queue } from '../jobs/job.ts'
import { html } from '../text/html.ts'

export type Mail = {
  /** One plain address such as `ada@example.com`. */
  to: string
  subject: string
  text: string
  html: string
}

/** A mail as text and as HTML. Each line is a paragraph; a line that is an address becomes a link. */
export function letter(to: string, subject: string, lines: readonly string[]): Mail {
  const paragraphs = lines.map(line =>
    line.startsWith('http') ? html`<p><a href="${line}">${line}</a></p>` : html`<p>${line}</p>`,
  )
  return { to, subject, text: lines.join('\n\n'), html: html`${paragraphs}`.html }
}

export type Mailer = {
  /** False if no mail server is configured: what would be mailed must then be handed over in another way. */
  readonly available: boolean
  /** Resolves once the mail server has accepted the message. Throws `MailError` otherwise, also without a server. */
  send(mail: Mail): Promise<void>
  /** Resolves if the mail server can be reached and lets us in; throws `MailError` otherwise. */
  verify(): Promise<void>
}

/** Says in one line, without any password, why a message was not accepted. */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** False if the server refused for good (5xx): sending the same again is of no use. */
  readonly retryable: boolean

  constructor(message: string, retryable: boolean, cause?: unknown) {
    super(message, { cause })
    this.retryable = retryable
  }
}

const defaultTimeoutMs = 15 * secondMs

/** `smtpUrl` such as `smtp://user:password@mail.example.com:587`; `smtps:` speaks TLS from the first byte. */
export function createMailer(options: {
  smtpUrl: string | null
  /** The sender, such as `Atrium <atrium@example.com>`. */
  from: string
  /** The longest time that one message may take, from the connection to the server's last word. */
  timeoutMs?: number
}): Mailer {
  const { smtpUrl, from, timeoutMs = defaultTimeoutMs } = options
  if (smtpUrl === null) return withoutServer
  const server = `${new URL(smtpUrl).hostname}:${portOf(new URL(smtpUrl))}`

  let made: Promise<Transporter> | null = null
  const transport = (): Promise<Transporter> => {
    made ??= createTransport(smtpUrl, timeoutMs)
    return made
  }

  return {
    available: true,
    async send({ to, subject, text, html }) {
      // The signal limits the whole exchange. The transport's own times limit only each silence in it.
      const signal = AbortSignal.timeout(timeoutMs)
      const message = {
        from,
        // As an object: a text could hold a second address after a comma.
        to: { name: '', address: to },
        subject,
        text,
        html,
        signal,
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      await (await transport()).sendMail(message).catch(error => {
        throw signal.aborted ? tooSlow(server, timeoutMs, error) : refusal(server, error)
      })
    },
    async verify() {
      await (await transport()).verify().catch(error => {
        throw refusal(server, error)
      })
    },
  }
}

/** The package is loaded with the first mail, not with every start. */
async function createTransport(smtpUrl: string, timeoutMs: number): Promise<Transporter> {
  const { createTransport: create } = await import('nodemailer')
  return create({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
}

const withoutServer: Mailer = {
  available: false,
  send: () => Promise.reject(notConfigured()),
  verify: () => Promise.reject(notConfigured()),
}

const notConfigured = (): MailError => new MailError('No mail server is configured: set SMTP_URL', false)

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'smtps:' ? '465' : '587')

const tooSlow = (server: string, timeoutMs: number, cause: unknown): MailError =>
  new MailError(`The mail server ${server} did not take the message within ${timeoutMs} ms`, true, cause)

/** The server's own words, if it had any. Its code tells whether another attempt may help. */
function refusal(server: string, error: unknown): MailError {
  const { responseCode, response, message } = error as {
    responseCode?: number
    response?: string
    message: string
  }
  const words = (response ?? message).replaceAll(/\s+/g, ' ').slice(0, 300)
  const refusedForGood = responseCode !== undefined && responseCode >= 500
  return new MailError(`The mail server ${server} refused: ${words}`, !refusedForGood, error)
}

/** The queue of one kind of mail. It tries again for a while, unless the server refuses the mail for good. */
export function mailQueue<Payload>(options: {
  mailer: Mailer
  maxAttempts: number
  maxBackoffMs: number
  /** Null if the mail is no longer wanted. */
  write: (payload: Payload) => Promise<Mail | null>
  /** Called once the mail server has accepted the mail. */
  sent?: (job: Job<Payload>) => Promise<void>
  refused: (job: Job<Payload>, error: MailError) => Promise<void>
  onDead?: NonNullable<Queue<Payload>['onDead']>
}): Queue<Payload> {
  const { mailer, maxAttempts, maxBackoffMs, write, sent, refused, onDead } = options
  return withoutUndefined<Queue<Payload>>({
    concurrency: 2,
    leaseMs: minuteMs,
    maxAttempts,
    timeoutMs: 30 * secondMs,
    backoffMs: 30 * secondMs,
    maxBackoffMs,
    async handle(job) {
      const mail = await write(job.payload)
      if (mail === null) return
      try {
        await mailer.send(mail)
      } catch (error) {
        if (!(error instanceof MailError) || error.retryable) throw error
        return refused(job, error)
      }
      await sent?.(job)
    },
    onDead,
  })
}
