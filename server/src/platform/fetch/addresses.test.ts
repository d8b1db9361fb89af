import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressRule } from './connector.ts'

const publicAddresses = [
  '93.184.215.14',
  '1.1.1.1',
  '2606:4700:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
]

const forbiddenAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1.1.1.1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:101:101::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '3fff::1',
  'localhost',
  '',
]

test('public addresses may be reached, also through NAT64 and as IPv4-mapped', () => {
  const isAllowed = createAddressRule([])
  for (const address of publicAddresses) assert.equal(isAllowed(address), true, address)
})

test('inner, link-local, metadata, shared, reserved, multicast and tunnelled addresses may not', () => {
  const isAllowed = createAddressRule([])
  for (const address of forbiddenAddresses) assert.equal(isAllowed(address), false, address)
})

test('what the operator allows may be reached in each spelling, and nothing beside it', () => {
  const isAllowed = createAddressRule(['10.1.0.0/16', '127.0.0.1', 'fd12::/16'])
  for (const address of ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd12::5']) {
    assert.equal(isAllowed(address), true, address)
  }
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd13::5', '169.254.169.254']) {
    assert.equal(isAllowed(address), false, address)
  }
})

test('a network that is none is refused at once', () => {
  assert.throws(() => createAddressRule(['10.0.0.0/33']))
  assert.throws(() => createAddressRule(['intranet']))
})
