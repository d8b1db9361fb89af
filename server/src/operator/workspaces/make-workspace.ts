/** Makes a workspace with an owner, as `workspace create` and `workspace import` do. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { firstOwnerEmail } from '../../features/identity/service.ts'
import { plans } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { parseAddress } from '../../platform/mail/address.ts'
import { claimFirstRun } from '../../start/first-run.ts'
import { UsageError } from '../errors.ts'
import { type KnownWorkspace, operatorCaller, type Session } from '../session.ts'

export type NewWorkspace = {
  name: string
  /** Derived from the name unless given. */
  slug?: string
  /** Enterprise for the first workspace, then the setting's, unless given. */
  plan?: string
  /** An e-mail address; the first workspace's first owner unless given. */
  owner?: string
}

/** Nothing stands in it yet, and nothing in its sandbox. */
export function makeWorkspace(
  session: Session,
  wanted: NewWorkspace,
): Promise<{ workspace: KnownWorkspace; owner: { id: string; email: string } }> {
  const { database, services, settings } = session
  const { name, slug, owner: ownerEmail } = wanted
  return database.write(async tx => {
    const byDefault = (await claimFirstRun(tx)) ? 'enterprise' : settings.newWorkspacePlan
    const plan = plans.find(known => known === wanted.plan) ?? byDefault
    const workspace = await services.workspaces.create(
      tx,
      withoutUndefined({
        name,
        plan,
        slug,
      }),
    )
    const email = ownerEmail === undefined ? await firstOwner(tx) : addressOf(ownerEmail)
    const owner =
      (await services.identity.findByEmail(tx, email)) ??
      (await services.identity.create(tx, {
        email,
        name: email.split('@')[0] ?? email,
        emailVerified: false,
      }))
    const caller = operatorCaller(session, workspace)
    await services.members.add(tx, caller, { userId: owner.id, role: 'owner' })
    await services.audit.record(tx, caller, {
      action: 'workspace.create',
      resourceId: workspace.id,
      details: { name, plan, owner: email },
    })
    return { workspace, owner }
  })
}

function addressOf(email: string): string {
  const address = parseAddress(email)
  if (address === null) throw new UsageError(`--owner: ${JSON.stringify(email)} is no e-mail address`)
  return address
}

/** On an empty server the same address that a first start would use. */
async function firstOwner(tx: Tx): Promise<string> {
  const owner = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.role', '=', 'owner')
    .orderBy('members.workspace_id')
    .orderBy('members.id')
    .limit(1)
    .executeTakeFirst()
  return owner?.email ?? firstOwnerEmail
}
