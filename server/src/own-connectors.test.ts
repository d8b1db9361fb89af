import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolNameOf } from '@atrium/connectors'
import { catalog } from '@atrium/connectors/catalog'
import { readConnectors, schemaFaults } from './own-connectors.ts'

test('without a folder there are the ready-made connectors, whose schemas the server can check values by', async () => {
  assert.equal(await readConnectors(null), catalog)
  assert.deepEqual(
    catalog.flatMap(connector => schemaFaults(connector).map(fault => `${connector.id}: ${fault}`)),
    [],
  )
})

test('no two connectors have a tool of the same name', () => {
  const names = catalog.flatMap(({ id, tools = [] }) => tools.map(({ name }) => toolNameOf(id, name)))
  assert.equal(new Set(names).size, names.length, names.join(' '))
})
