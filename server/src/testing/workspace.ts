/** A workspace with members, written straight into a test's database, and callers who act in it. */
import {
  type Environment,
  type KeyCaller,
  noBounds,
  type Permission,
  type Role,
  rolePermissions,
} from '../platform/caller.ts'
import { systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { encodeJson } from '../platform/database/json.ts'
import { createIds } from '../platform/ids.ts'

const newId = createIds(systemClock)

export type TestPerson = { memberId: string; userId: string; email: string }

export async function insertWorkspace(database: Database): Promise<string> {
  const id = newId('workspace')
  await database.write(tx =>
    tx
      .insertInto('workspaces')
      .values({
        id,
        name: 'Example Ltd',
        slug: id.replace('_', '-'),
        plan: 'enterprise',
        rate_limit: null,
        data_key: 'none: nothing is encrypted in this test',
        created_at: Date.now(),
        updated_at: Date.now(),
        revision: 1,
      })
      .execute(),
  )
  return id
}

export async function insertPerson(database: Database, workspaceId: string, role: Role): Promise<TestPerson> {
  const person = { memberId: newId('member'), userId: newId('user'), email: `${newId('user')}@example.com` }
  await database.write(async tx => {
    await tx
      .insertInto('users')
      .values({
        id: person.userId,
        name: `A test's ${role}`,
        email: person.email,
        email_verified: 1,
        image: null,
        created_at: Date.now(),
        updated_at: Date.now(),
      })
      .execute()
    await tx
      .insertInto('members')
      .values({
        id: person.memberId,
        workspace_id: workspaceId,
        user_id: person.userId,
        role,
        kind: 'person',
        joined_at: Date.now(),
        last_active_at: null,
        revision: 1,
      })
      .execute()
  })
  return person
}

/** A key's row without a secret: enough to be counted, listed and revoked. */
export async function insertKey(
  database: Database,
  workspaceId: string,
  userId: string,
  environment: Environment = 'live',
): Promise<string> {
  const id = newId('key')
  await database.write(tx =>
    tx
      .insertInto('api_keys')
      .values({
        id,
        workspace_id: workspaceId,
        environment,
        user_id: userId,
        name: 'a key',
        permissions: encodeJson<Permission[]>(['agents:read']),
        expires_at: null,
        revoked_at: null,
        allowed_addresses: null,
        agent_ids: null,
        collection_ids: null,
        last_used_at: null,
        last_used_address: null,
        created_at: Date.now(),
        updated_at: Date.now(),
        revision: 1,
      })
      .execute(),
  )
  return id
}

export const callerOf = (
  workspaceId: string,
  person: TestPerson,
  role: Role,
  environment: Environment = 'live',
): KeyCaller => ({
  kind: 'key',
  userId: person.userId,
  keyId: newId('key'),
  role,
  permissions: new Set(rolePermissions[role]),
  scope: { workspaceId, environment },
  plan: 'enterprise',
  requestsPerMinute: null,
  requestId: newId('request'),
  address: '127.0.0.1',
  keyBounds: noBounds,
  idempotencyId: null,
})
