import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './address.ts'

test('one address has one spelling: lower case, no spaces around it, an ASCII domain', () => {
  assert.equal(parseAddress(' Ada.Lovelace+x@Example.COM '), 'ada.lovelace+x@example.com')
  assert.equal(parseAddress('ada@Bücher.example'), 'ada@xn--bcher-kva.example')
  assert.equal(parseAddress("o'hara@mail.example.co.uk"), "o'hara@mail.example.co.uk")
  assert.equal(parseAddress('root@localhost'), 'root@localhost')
})

test('what is no plain address, or several, or holds control characters, is refused', () => {
  const refused = [
    ...['', '@', 'ada', 'ada@', '@example.com', 'ada@example', 'ada@@example.com', 'a@b@example.com'],
    ...['ada@example.com,eve@example.com', 'Ada <ada@example.com>', '"a b"@example.com', 'a b@example.com'],
    ...['ada@example.com\r\nBcc: eve@example.com', 'ada\n@example.com', 'ada@exam\tple.com\u0000'],
    ...['.ada@example.com', 'ada..l@example.com', 'ada@-example.com', 'ada@example..com', 'ada@127.0.0.1'],
    ...[
      'ada@[127.0.0.1]',
      'ada@example.com/x',
      'ada@evil%2ecom',
      'ada@example.com:25',
      'ada@example.com?x',
      'ada@example.com#x',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b.'.repeat(126)}com`,
    ],
  ]
  for (const text of refused) assert.equal(parseAddress(text), null, JSON.stringify(text))
})
