import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../errors.ts'
import { checkPassword, createPasswords } from './passwords.ts'

/** As cheap as can be: what is tested is not how long a guess takes. */
const cheap = { N: 2, r: 1, p: 1 }

test('a password is known again by its hash, which names its cost and its salt, and another is not', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse battery staple')
  assert.match(hash, /^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/)
  assert.equal(await passwords.verify('correct horse battery staple', hash), true)
  assert.equal(await passwords.verify('correct horse battery stapl', hash), false)
  const [one, other] = [createPasswords(cheap), createPasswords({ N: 4, r: 1, p: 1 })]
  const first = await one.hash('same')
  assert.notEqual(first, await one.hash('same'))
  assert.equal(await other.verify('same', first), true, 'a later cost leaves older hashes of use')
  for (const broken of ['', 'bcrypt$1$2$3$4$5', first.slice(0, -1), first.replace(/\$[\w-]+$/, '$')]) {
    assert.equal(await one.verify('same', broken), false, broken)
  }
})

test('the same word is the same password, however a keyboard composes its letters', async () => {
  const passwords = createPasswords(cheap)
  const hash = await passwords.hash('cafe\u0301 am Ufer')
  assert.equal(await passwords.verify('caf\u00e9 am Ufer', hash), true)
})

test('only so many wait to be hashed; who comes too late is told to come again', async () => {
  const passwords = createPasswords(cheap)
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash('same')))
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.equal(refused.length, 100 - 66)
  assert.ok(refused.every(({ reason }) => reason instanceof ServiceError && reason.code === 'unavailable'))
  assert.equal(await passwords.verify('same', await passwords.hash('same')), true, 'places are given back')
})

test('many tries from one address delay another address by no more than those that have begun', async () => {
  const passwords = createPasswords(cheap)
  const done: string[] = []
  const ask = async (address: string) => {
    await passwords.hash('same', address)
    done.push(address)
  }
  // One subscriber has every address of such a network.
  const tries = Array.from({ length: 60 }, (_, at) => ask(`2001:db8::${at}`))
  await Promise.all([...tries, ask('198.51.100.7')])
  assert.ok(done.indexOf('198.51.100.7') <= 5, String(done.indexOf('198.51.100.7')))
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 100 }, () => passwords.hash('same', '203.0.113.1')),
    passwords.hash('same', '198.51.100.7'),
  ])
  assert.equal(outcomes.at(-1)?.status, 'fulfilled', 'one address cannot take every place')
})

test('a password is neither short nor endless, and does not say the address that it is for', () => {
  const faultOf = (password: string, email = 'ada.lovelace@example.com') => {
    try {
      checkPassword('password', password, email)
      return null
    } catch (error) {
      return error instanceof ServiceError ? error.errors[0]?.message : error
    }
  }
  assert.equal(faultOf('ten letter'), null)
  assert.match(String(faultOf('nine char')), /at least 10/)
  assert.equal(faultOf('👩‍🚀'.repeat(4)), null, 'code points are counted, not bytes')
  assert.equal(faultOf('x'.repeat(128)), null)
  assert.match(String(faultOf('x'.repeat(129))), /at most 128/)
  assert.match(String(faultOf('My Ada.Lovelace@example.com!')), /e-mail address/)
  assert.match(String(faultOf('ADA.LOVELACE 1815')), /e-mail address/)
  assert.equal(faultOf('banana and ada', 'ada@example.com'), null, 'three letters stand in too many words')
})
