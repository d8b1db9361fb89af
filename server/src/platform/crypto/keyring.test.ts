import assert from 'node:assert/strict'
import { createHmac, hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import { createKeyring, createRotation, noEarlierPeppers } from './keyring.ts'

const secret = 'a master secret of forty characters, ok?'
const keyring = createKeyring(secret)

test('a keyed hash is HMAC-SHA-256 under the HKDF key of its purpose and version', () => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'atrium', 'hash/api-key/1', 32))
  assert.equal(keyring.keyedHash('api-key', 'text'), createHmac('sha256', key).update('text').digest('hex'))
})

test('another purpose, version, text or master secret gives another hash', () => {
  const hashes = [
    keyring.keyedHash('api-key', 'text'),
    keyring.keyedHash('token', 'text'),
    keyring.keyedHash('api-key', 'text', 2),
    keyring.keyedHash('api-key', 'other'),
    createKeyring(`${secret}!`).keyedHash('api-key', 'text'),
  ]
  assert.equal(new Set(hashes).size, hashes.length)
  assert.equal(keyring.keyedHash('api-key', 'text', keyring.pepperVersion), hashes[0])
})

test('what is encrypted comes back, and the same text never looks the same twice', () => {
  const place = { workspaceId: 'wsp_1', wrappedKey: keyring.newDataKey('wsp_1'), field: 'con_1.credentials' }
  const sealed = keyring.encrypt({ ...place, text: 'sécret 🗝' })
  assert.ok(!sealed.includes('sécret'))
  assert.notEqual(sealed, keyring.encrypt({ ...place, text: 'sécret 🗝' }))
  assert.equal(keyring.decrypt({ ...place, sealed }), 'sécret 🗝')
  assert.equal(createKeyring(secret).decrypt({ ...place, sealed }), 'sécret 🗝')
})

test('a text moved to another field, workspace, data key or master secret does not decrypt', () => {
  const place = { workspaceId: 'wsp_1', wrappedKey: keyring.newDataKey('wsp_1'), field: 'con_1.credentials' }
  const sealed = keyring.encrypt({ ...place, text: 'secret' })
  const moved = [
    { ...place, field: 'con_2.credentials' },
    { ...place, workspaceId: 'wsp_2' },
    { ...place, wrappedKey: keyring.newDataKey('wsp_1') },
  ]
  for (const elsewhere of moved) assert.throws(() => keyring.decrypt({ ...elsewhere, sealed }))
  assert.throws(() => createKeyring(`${secret}!`).decrypt({ ...place, sealed }))
})

test('one flipped bit anywhere is noticed, and so is a text that is cut short or in another format', () => {
  const sealed = keyring.sealSystem('field', 'secret')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    assert.throws(() => keyring.openSystem('field', `v1.${changed.toString('base64url')}`))
  }
  assert.throws(() => keyring.openSystem('field', 'v1.AAAA'), /cut short/)
  assert.throws(() => keyring.openSystem('field', sealed.replace('v1.', 'v2.')), /unknown format/)
  assert.throws(() => keyring.openSystem('other', sealed))
  assert.equal(keyring.openSystem('field', sealed), 'secret')
})

test('a thousand workspaces more than the cache holds still decrypt', () => {
  const places = Array.from({ length: 1_100 }, (_, at) => {
    const workspaceId = `wsp_${at}`
    const place = { workspaceId, wrappedKey: keyring.newDataKey(workspaceId), field: 'f' }
    return { place, sealed: keyring.encrypt({ ...place, text: workspaceId }) }
  })
  for (const { place, sealed } of places)
    assert.equal(keyring.decrypt({ ...place, sealed }), place.workspaceId)
})

test('a master secret that is too short is refused', () => {
  assert.throws(() => createKeyring('short'), /at least 32 characters/)
})

test('a new master secret takes everything over, again and again; the old one opens none of it', () => {
  const secrets = ['first', 'second', 'third'].map(word => `${word} master secret of forty characters, ok?`)
  const [first = '', ...later] = secrets
  let earlier = noEarlierPeppers
  let present = createKeyring(first)
  const texts = ['api-key', 'token', 'session', 'sign-in'] as const
  const hashes = texts.map(purpose => present.keyedHash(purpose, 'text'))
  const signature = present.keyedHash('person-token', 'text')
  let wrappedKey = present.newDataKey('wsp_1')
  let system = present.sealSystem('field', 'secret')
  const place = { workspaceId: 'wsp_1', field: 'con_1.credentials' }
  const sealed = present.encrypt({ ...place, wrappedKey, text: 'secret' })
  let before = first
  for (const next of later) {
    const old = present
    const rotation = createRotation(before, earlier, next)
    wrappedKey = rotation.dataKey('wsp_1', wrappedKey)
    system = rotation.system('field', system)
    earlier = rotation.earlier
    present = createKeyring(next, earlier)
    before = next
    assert.equal(present.decrypt({ ...place, wrappedKey, sealed }), 'secret')
    assert.equal(present.openSystem('field', system), 'secret')
    assert.throws(() => old.openSystem('field', system))
    assert.throws(() => createKeyring(first).decrypt({ ...place, wrappedKey, sealed }))
  }
  assert.equal(present.pepperVersion, 3)
  assert.deepEqual(
    texts.map(purpose => present.keyedHash(purpose, 'text', 1)),
    hashes,
  )
  // What is looked up by its hash alone is found; what is signed, or made from now on, has a pepper of its own.
  assert.equal(present.keyedHash('token', 'text'), hashes[1])
  assert.equal(present.keyedHash('session', 'text'), hashes[2])
  assert.notEqual(present.keyedHash('api-key', 'text'), hashes[0])
  assert.notEqual(present.keyedHash('person-token', 'text'), signature)
  assert.throws(() => createRotation(first, noEarlierPeppers, 'another').dataKey('wsp_2', wrappedKey))
})

test('what is sealed to last opens after two rotations, in its own field only', () => {
  const secrets = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)] as const
  let earlier = noEarlierPeppers
  const sealed = createKeyring(secrets[0]).sealLasting('field', 'secret')
  for (const [index, next] of secrets.slice(1).entries()) {
    earlier = createRotation(secrets[index] ?? '', earlier, next).earlier
  }
  const present = createKeyring(secrets[2], earlier)
  assert.equal(present.openLasting('field', sealed), 'secret')
  assert.throws(() => present.openLasting('other', sealed))
  assert.throws(() => present.openLasting('field', sealed.replace(/^1/, '2')))
  assert.match(present.sealLasting('field', 'secret'), /^3\.v1\./)
  assert.throws(() => createKeyring(secrets[2]).openLasting('field', sealed))
})
