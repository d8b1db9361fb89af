import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolNameOf } from '@atrium/connectors'
import { catalog } from '@atrium/connectors/catalog'
import { faultsIn } from '../platform/json-schema/own-schema.ts'
import { sampleOf } from '../platform/json-schema/sample.ts'
import { readConnectors, schemaFaults } from './own-connectors.ts'

test('without a folder there are the ready-made connectors, whose schemas the server can check values by', async () => {
  assert.equal(await readConnectors(null), catalog)
  assert.deepEqual(
    catalog.flatMap(connector => schemaFaults(connector).map(fault => `${connector.id}: ${fault}`)),
    [],
  )
})

test('the arguments that the sandbox makes for a tool of a connector fit its schema', () => {
  for (const { id, tools = [] } of catalog) {
    for (const { name, input } of tools) {
      assert.deepEqual(faultsIn(input, sampleOf(input, 'sandbox'), 'arguments'), [], toolNameOf(id, name))
    }
  }
})

test('no two connectors have a tool of the same name', () => {
  const names = catalog.flatMap(({ id, tools = [] }) => tools.map(({ name }) => toolNameOf(id, name)))
  assert.equal(new Set(names).size, names.length, names.join(' '))
})
