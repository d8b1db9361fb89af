import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, stepOf, totpUri } from './totp.ts'

const key = Buffer.from('12345678901234567890')

test('codes are those of RFC 4226, appendix D', () => {
  const codes = Array.from({ length: 10 }, (_, counter) => codeOf(key, counter))
  assert.deepEqual(codes, [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])
})

test('the code of a moment is that of RFC 6238, appendix B, by its last six digits', () => {
  const moments: [number, string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, code] of moments) {
    const step = stepOf(key, code.slice(-6), { now: seconds * 1000, usedStep: -1 })
    assert.equal(step, Math.floor(seconds / 30), code)
  }
})

test('a code is taken one step early or late, and not when its step or a later one was used', () => {
  const at = (step: number, usedStep: number) =>
    stepOf(key, codeOf(key, 100), { now: step * 30_000, usedStep })
  assert.deepEqual(
    [98, 99, 100, 101, 102].map(step => at(step, 0)),
    [null, 100, 100, 100, null],
  )
  assert.deepEqual(
    [99, 100, 101].map(usedStep => at(100, usedStep)),
    [100, null, null],
  )
})

test('no text but six digits is a code', () => {
  for (const code of ['', '75522', '0755224', '755224 ', '７５５２２４', 'abcdef']) {
    assert.equal(stepOf(key, code, { now: 60_000, usedStep: -1 }), null, code)
  }
})

test('an authenticator app reads the key in base 32', () => {
  assert.equal(
    totpUri(key, 'a+b@example.com'),
    'otpauth://totp/Atrium:a%2Bb%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Atrium&digits=6&period=30',
  )
})
