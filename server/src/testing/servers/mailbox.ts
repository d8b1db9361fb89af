/** Mails as a person reads them, for tests: waited for, and their links taken out. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

type Received = readonly { recipients: string[]; raw: string }[]

/** The text of the mail to an address, once there are so many; the newest. */
export async function mailTo(received: Received, email: string, count = 1): Promise<string> {
  for (let i = 0; i < 400; i++) {
    const mails = received.filter(({ recipients }) => recipients.includes(email))
    const newest = mails.at(-1)
    if (mails.length >= count && newest !== undefined) return decoded(newest.raw)
    await sleep(25)
  }
  assert.fail(`there are less than ${count} mails to ${email}`)
}

/** The token of a link such as `…/reset-password?token=…`. */
export function linkToken(text: string): string {
  const token = /[?&]token=([0-9A-Za-z]{43})/.exec(text)?.[1]
  assert.ok(token !== undefined, `no link in ${text}`)
  return token
}

/** Quoted-printable, in which long lines of plain ASCII are sent. */
const decoded = (raw: string): string =>
  raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
