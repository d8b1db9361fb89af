/** A workspace with an owner and the services around invitations, over a real database and a clock that a test sets. */

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createAuditService } from '../../features/audit/service.ts'
import { createOutbox } from '../../features/events/outbox-service.ts'
import { createIdentityService } from '../../features/identity/service.ts'
import { createAcceptanceService } from '../../features/workspaces/invitations/acceptance-service.ts'
import { createInvitationService } from '../../features/workspaces/invitations/invitations-service.ts'
import type { MemberWebhooks } from '../../features/workspaces/members/member-changes.ts'
import { createMemberService } from '../../features/workspaces/members/members-service.ts'
import { createTeamService } from '../../features/workspaces/teams/teams-service.ts'
import type { Environment, Role } from '../../platform/caller.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { createIds } from '../../platform/ids.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { createTestDatabase } from '../database.ts'
import { callerOf, insertPerson, insertWorkspace, type TestPerson } from '../workspace.ts'

export async function setUpInvitations(
  t: TestContext,
  options: { memberLimit?: number; smtpUrl?: string } = {},
) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const clock = { now: Date.parse('2026-11-21T09:30:00Z') }
  const read = () => clock.now
  const newId = createIds(read)
  const audit = createAuditService({ database, clock: read, newId })
  const dependencies = {
    database,
    clock: read,
    newId,
    audit,
    outbox: createOutbox({ newId, onRecorded: async () => undefined }),
    keyring: createKeyring('a secret that only tests have, of enough characters'),
    jobs: createJobs({ database, newId }),
    mailer: createMailer({ smtpUrl: options.smtpUrl ?? null, from: 'Atrium <atrium@example.com>' }),
    publicUrl: () => 'https://atrium.example.com',
    memberLimit: () => options.memberLimit ?? 100,
    people: createIdentityService({ clock: read, newId }),
    memberWebhooks: noWebhooks,
    onChange: () => undefined,
  }
  const workspaceId = await insertWorkspace(database)
  const owner = await insertPerson(database, workspaceId, 'owner')
  const actor = (person: TestPerson, role: Role, environment?: Environment) =>
    callerOf(workspaceId, person, role, environment)
  return {
    database,
    clock,
    newId,
    owner,
    caller: actor(owner, 'owner'),
    sandbox: actor(owner, 'owner', 'test'),
    join: async (role: Role) => actor(await insertPerson(database, workspaceId, role), role),
    invitations: createInvitationService(dependencies),
    acceptance: createAcceptanceService(dependencies),
    members: createMemberService(dependencies),
    teams: createTeamService(dependencies),
  }
}

export function tokenOf(acceptUrl: string | null): string {
  const prefix = 'https://atrium.example.com/invitations/'
  const [before, token] = (acceptUrl ?? '').split(prefix)
  assert.ok(before === '' && token !== undefined, `${acceptUrl} is no link`)
  return token
}

/** For members of workspaces without webhooks. */
export const noWebhooks: MemberWebhooks = { list: async () => [], disable: async () => undefined }
