/** Tokens of persons: read only where this very server has signed them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyring } from './keyring.ts'
import { type PersonClaims, readPersonToken, signPersonToken } from './tokens.ts'

const keyring = createKeyring('the first secret of the tests, of enough characters')
const claims: PersonClaims = {
  sessionId: 'ses_01kajz4v7qf3x8m2c9t5b6n0rw',
  userId: 'usr_01kajz4v7qf3x8m2c9t5b6n0rw',
  workspaceId: 'wsp_01kajz4v7qf3x8m2c9t5b6n0rw',
  environment: 'test',
  expiresAt: 1_800_000_000_000,
}
const token = signPersonToken(keyring, claims)
const [payload = '', signature = ''] = token.slice('ct_'.length).split('.')

test('a token says what it was made to say', () => {
  assert.deepEqual(readPersonToken(keyring, token), claims)
  assert.match(token, /^ct_/)
})

test('a token whose words were changed, or that another server signed, is none', () => {
  const words = Buffer.from(payload, 'base64url').toString()
  const changed = Buffer.from(words.replace('"test"', '"live"')).toString('base64url')
  assert.equal(readPersonToken(keyring, `ct_${changed}.${signature}`), null)
  const other = createKeyring('another secret of the tests, of enough characters')
  assert.equal(readPersonToken(other, token), null)
  assert.equal(readPersonToken(keyring, signPersonToken(other, claims)), null)
  // A hash for another purpose does not pass for this one.
  assert.equal(readPersonToken(keyring, `ct_${payload}.${keyring.keyedHash('token', payload)}`), null)
})

test('whatever is no token is none, however long it is', () => {
  for (const text of [
    '',
    'ct_',
    `ct_${payload}`,
    `ct_${payload}.`,
    `ct_.${signature}`,
    `ct_${payload}.${signature.toUpperCase()}`,
    `${token} `,
    `ct_${'A'.repeat(100_000)}.${signature}`,
    `ct_${payload}.${'é'.repeat(32)}`,
  ]) {
    assert.equal(readPersonToken(keyring, text), null, text.slice(0, 80))
  }
})
