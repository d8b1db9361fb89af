import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../catalog.ts'
import template from '../template/connector.ts'
import { connectorFaults, toolNameOf } from './connector-faults.ts'

const fitting = {
  id: 'my-wiki',
  name: 'Wiki',
  description: 'Pages.',
  category: 'custom',
  documentationUrl: null,
  auth: [{ kind: 'none' }],
  configSchema: { type: 'object', properties: {} },
  origins: () => [],
  check: async () => ({ id: '1', name: 'Ada' }),
  source: { removals: 'told', list: async () => ({ items: [], nextPage: null }), fetch: async () => null },
  tools: [
    {
      name: 'search_pages',
      description: 'Finds pages.',
      input: { type: 'object', properties: {} },
      changes: false,
      run: async () => null,
    },
  ],
}

test('every ready-made connector fits, and so does the one to begin with', () => {
  assert.deepEqual(
    [...catalog, template].flatMap(connector =>
      connectorFaults(connector).map(fault => `${connector.id}: ${fault}`),
    ),
    [],
  )
  assert.deepEqual(connectorFaults(fitting), [])
})

test('whatever does not fit is told by the name of its field', () => {
  const [tool] = fitting.tools
  const faulty: [change: object, begins: string][] = [
    [{ id: 'My Wiki' }, 'id must be lower-case words'],
    [{ id: undefined }, 'id must be'],
    [{ name: '' }, 'name must be a text'],
    [{ description: 'x'.repeat(501) }, 'description must be a text of 1 to 500'],
    [{ documentationUrl: 'ftp://example.com' }, 'documentationUrl must be an address'],
    [{ auth: [] }, 'auth must be a list of at least one'],
    [{ auth: { kind: 'none' } }, 'auth must be a list'],
    [{ auth: [{ kind: 'magic' }] }, 'auth.0.kind must be one of oauth2, api_key, basic, none'],
    [{ auth: [{ kind: 'api_key', help: 'x' }] }, 'auth.0.headers must be a function'],
    [{ auth: [{ kind: 'none' }, { kind: 'none' }] }, 'auth must have each kind once; none comes again'],
    [
      { auth: [{ kind: 'oauth2', issuer: 'https://a', authorizationUrl: 'https://a', tokenUrl: 'nowhere' }] },
      'auth.0.tokenUrl must be an address',
    ],
    [{ configSchema: { type: 'string' } }, 'configSchema must be a JSON Schema'],
    [{ origins: ['https://example.com'] }, 'origins must be a function'],
    [{ check: undefined }, 'check must be a function'],
    [{ checkConfig: true }, 'checkConfig must be a function'],
    [
      { source: { ...fitting.source, removals: 'never' } },
      'source.removals must be "told", "absence" or "asked"',
    ],
    [{ source: { ...fitting.source, fetch: undefined } }, 'source.fetch must be a function'],
    [{ tools: {} }, 'tools must be a list'],
    [{ tools: [{ ...tool, name: 'searchPages' }] }, 'tools.0.name must be words in snake case'],
    [{ tools: [{ ...tool, name: 'x'.repeat(60) }] }, 'tools.0.name must be words in snake case'],
    [{ tools: [tool, tool] }, 'tools.1.name is the name of an earlier tool'],
    [{ tools: [{ ...tool, changes: undefined }] }, 'tools.0.changes must be true or false'],
    [
      { tools: [{ ...tool, input: { type: 'object', properties: { connection: {} } } }] },
      'tools.0.input must have no field "connection"',
    ],
    [{ sync: {} }, 'sync is not a field of a connector; there are id, name'],
  ]
  for (const [change, begins] of faulty) {
    const faults = connectorFaults({ ...fitting, ...change })
    assert.ok(
      faults.some(fault => fault.startsWith(begins)),
      `${begins}: ${faults.join(' | ')}`,
    )
  }
  for (const nothing of [null, undefined, 7, 'connector', []]) {
    assert.match(connectorFaults(nothing)[0] ?? '', /must be a connector/)
  }
})

test('a tool is called by the name of its connector and its own', () => {
  assert.equal(toolNameOf('google-drive', 'search_files'), 'google_drive_search_files')
})
