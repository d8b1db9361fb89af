import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base62, crc32Checksum6, isWellFormedApiKey, newApiKey, randomToken } from './tokens.ts'

test('base 62 counts digits, upper case, lower case, and fills up with zeros', () => {
  assert.equal(base62(0n, 1), '0')
  assert.equal(base62(61n, 1), 'z')
  assert.equal(base62(62n, 1), '10')
  assert.equal(base62(35n, 3), '00Z')
  assert.equal(base62(2n ** 256n - 1n, 43).length, 43)
})

test('the checksum is CRC-32, whose published check value is cbf43926', () => {
  assert.equal(crc32Checksum6('123456789'), base62(0xcbf43926n, 6))
  assert.equal(crc32Checksum6('123456789'), '3jZRME')
  assert.equal(crc32Checksum6(''), '000000')
})

test('a token has the length that its randomness needs, and none is made twice', () => {
  assert.match(randomToken(32), /^[0-9A-Za-z]{43}$/)
  assert.match(randomToken(16), /^[0-9A-Za-z]{22}$/)
  assert.equal(new Set(Array.from({ length: 1_000 }, () => randomToken(16))).size, 1_000)
})

test('a key names its environment and is 57 characters long', () => {
  for (const environment of ['live', 'test'] as const) {
    const key = newApiKey(environment)
    assert.match(key, new RegExp(`^sk_${environment}_[0-9A-Za-z]{49}$`))
    assert.equal(isWellFormedApiKey(key), true)
  }
})

test('a key with one character changed, cut, added, or of the other environment is not well-formed', () => {
  const key = newApiKey('live')
  for (let at = 0; at < key.length; at++) {
    const changed = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
    assert.equal(isWellFormedApiKey(changed), false, `changed at ${at}`)
  }
  for (const text of [key.slice(1), `${key}a`, key.replace('live', 'test'), `${key}\n`, '', 'sk_live_']) {
    assert.equal(isWellFormedApiKey(text), false, text)
  }
})

test('the checksum of a key covers its prefix: a known key, reckoned with another CRC-32', () => {
  assert.equal(isWellFormedApiKey(`sk_test_${'A'.repeat(43)}1AUt6i`), true)
  assert.equal(isWellFormedApiKey(`sk_live_${'A'.repeat(43)}1AUt6i`), false)
})
