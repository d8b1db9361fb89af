import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, noBounds, systemCaller } from './caller.ts'
import { encodeJson } from './database/json.ts'
import { kindIn, restoreCaller, storeCaller } from './stored-caller.ts'

const member = {
  userId: 'usr_1',
  role: 'member',
  permissions: new Set(['agents:run'] as const),
  scope: { workspaceId: 'wsp_1', environment: 'test', collectionIds: ['col_1'] },
  plan: 'starter',
  requestsPerMinute: 60,
  requestId: 'req_1',
  address: null,
} as const
const ofRequest = { ...member, idempotencyId: null }

const callers: Caller[] = [
  { ...ofRequest, kind: 'key', keyId: 'key_1', keyBounds: { expiresAt: 9, allowedAddresses: ['::1'] } },
  { ...ofRequest, kind: 'person' },
  { ...member, kind: 'operator', userId: null },
  systemCaller({ workspaceId: 'wsp_1', environment: 'live' }, 'req_1', 'usr_1'),
]

for (const caller of callers) {
  test(`a caller of the kind ${caller.kind} is restored as it was stored`, () => {
    assert.deepEqual(restoreCaller(storeCaller(caller)), caller)
  })

  test(`20 characters of what is stored tell the kind ${caller.kind}`, () => {
    assert.equal(kindIn(storeCaller(caller).slice(0, 20)), caller.kind)
  })
}

test('what an earlier server stored is restored: a key without its bounds, a person with a key of null', () => {
  const { address: _, ...stored } = { ...member, permissions: ['agents:run'] }
  const restore = (caller: Record<string, unknown>) =>
    restoreCaller(encodeJson<Record<string, unknown>>(caller))
  assert.deepEqual(restore({ ...stored, kind: 'key', keyId: 'key_1' }), {
    ...ofRequest,
    kind: 'key',
    keyId: 'key_1',
    keyBounds: noBounds,
  })
  assert.deepEqual(restore({ ...stored, kind: 'person', keyId: null }), { ...ofRequest, kind: 'person' })
})
