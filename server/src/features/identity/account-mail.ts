/** The mails about a person's account, and the queue that sends them: every request for a mail does the same work. */
import { addressKey } from '../../platform/client-address.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { NewJob, Queue } from '../../platform/jobs/job.ts'
import { letter, type Mail, mailQueue } from '../../platform/mail/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { findUserByEmail, type UserRow } from './store.ts'
import type { Verifications } from './verifications.ts'

export const accountMailQueue = 'account-mail'

export type MailKind = 'reset-password' | 'verify-email' | 'has-account'
type Payload = { kind: MailKind; sealedEmail: string }

/** How long our links are valid. */
const resetLifetimeMs = hourMs
const verifyLifetimeMs = dayMs

/** The address that the mail goes to, and the address of the client that asks for it. */
export type MailRequest = { email: string; clientAddress: string }

/**
 * Holds only the address, encrypted: the job finds out later whether the address has an account. Clients take turns:
 * a client that asks for many mails delays only its own.
 */
export const accountMailJob = (
  keyring: Keyring,
  kind: MailKind,
  { email, clientAddress }: MailRequest,
): NewJob => ({
  queue: accountMailQueue,
  workspaceId: null,
  lane: `client_${keyring.keyedHash('sign-in', addressKey(clientAddress)).slice(0, 32)}`,
  payload: { kind, sealedEmail: keyring.sealSystem(accountMailQueue, email) } satisfies Payload,
})

export function createAccountMailQueue(
  dependencies: Pick<Platform, 'database' | 'keyring' | 'mailer' | 'log' | 'publicUrl'> & {
    verifications: Verifications
  },
): Queue<Payload> {
  const { database, keyring, mailer, verifications, log, publicUrl } = dependencies

  const personOf = ({ sealedEmail }: Payload): Promise<UserRow | undefined> =>
    findUserByEmail(database.read, keyring.openSystem(accountMailQueue, sealedEmail))

  const write = async (kind: MailKind, person: UserRow): Promise<Mail | null> => {
    const make = (purpose: 'reset-password' | 'verify-email', lifetimeMs: number) =>
      database.write((tx: Tx) =>
        verifications.make(tx, purpose, { userId: person.id, provesAddress: true, lifetimeMs }),
      )
    switch (kind) {
      case 'reset-password':
        return resetMail(person, `${publicUrl()}/reset-password?token=${await make(kind, resetLifetimeMs)}`)
      case 'verify-email':
        if (person.email_verified === 1) return null
        return verifyMail(person, `${publicUrl()}/sign-in?token=${await make(kind, verifyLifetimeMs)}`)
      case 'has-account':
        return hasAccountMail(person, `${publicUrl()}/sign-in`)
    }
  }

  return mailQueue<Payload>({
    mailer,
    maxAttempts: 6,
    maxBackoffMs: 10 * minuteMs,
    async write(payload) {
      const person = await personOf(payload)
      return person === undefined ? null : write(payload.kind, person)
    },
    async refused({ payload }, error) {
      log.warn('A mail about an account was refused', {
        userId: (await personOf(payload))?.id,
        kind: payload.kind,
        error,
      })
    },
  })
}

/** If sign-up is open, a stranger may have chosen the name for an address that is not proven: as an advertisement. */
const greeting = ({ name, email_verified }: UserRow): string =>
  email_verified === 1 ? `Hello ${name},` : 'Hello,'

const resetMail = (person: UserRow, url: string): Mail =>
  letter(person.email, 'Choose a new password', [
    greeting(person),
    'somebody asked for a new password for your account. If it was you, choose one here:',
    url,
    'The link works once, for an hour. If it was not you, do nothing: your password stays as it is.',
  ])

const verifyMail = (person: UserRow, url: string): Mail =>
  letter(person.email, 'Confirm your e-mail address', [
    greeting(person),
    'sign in with your password to confirm that this is your address:',
    url,
    'The link works once, for a day. If you did not make an account, do nothing.',
  ])

const hasAccountMail = (person: UserRow, url: string): Mail =>
  letter(person.email, 'You have an account already', [
    greeting(person),
    'somebody, perhaps you, tried to make an account with this address. It has one already. Sign in here, or ask for a new password there:',
    url,
  ])
