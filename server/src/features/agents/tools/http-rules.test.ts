/** Which addresses an agent's hosts cover, and which headers a model may set. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolError } from '../../../platform/tool.ts'
import { checkHeaders, isHostAllowed } from './http-request.ts'

const hosts = ['api.example.com', 'api.example.com:8443', '*.example.org']

for (const [address, isAllowed] of [
  ['https://api.example.com/a', true],
  ['http://api.example.com/a', true],
  ['https://API.Example.com./a', true],
  ['https://api.example.com:8443/', true],
  ['https://api.example.com:8444/', false],
  ['http://api.example.com:443/', false],
  ['https://example.com/', false],
  ['https://api.example.com.evil.test/', false],
  ['https://evil.test/api.example.com', false],
  ['https://api.example.com@evil.test/', false],
  ['https://a.example.org/', true],
  ['https://a.b.example.org/', true],
  ['https://example.org/', false],
  ['https://notexample.org/', false],
  ['ftp://api.example.com/', false],
] as const) {
  test(`${address} is ${isAllowed ? '' : 'not '}covered`, () => {
    assert.equal(isHostAllowed(new URL(address), hosts), isAllowed)
  })
}

test('a header that says how the message travels cannot be set, in any spelling', () => {
  for (const name of ['Host', 'CONTENT-LENGTH', 'transfer-encoding', 'X-Forwarded-For', 'Connection']) {
    assert.throws(() => checkHeaders({ [name]: 'x' }), ToolError)
  }
  assert.deepEqual(
    [...checkHeaders({ Accept: 'text/plain', 'X-Mine': '1' })],
    [
      ['accept', 'text/plain'],
      ['x-mine', '1'],
    ],
  )
})
