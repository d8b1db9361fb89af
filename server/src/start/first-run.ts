/** What an empty server gets at its first start: a workspace on the largest plan, its owner, and a test key to try it with. */

import { demoQuestion } from '../features/agents/demo/demo.ts'
import { firstOwnerEmail } from '../features/identity/service.ts'
import type { Services } from '../features.ts'
import { permissions } from '../platform/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Dependencies } from './dependencies.ts'
import { type Furnished, furnishWorkspace, owningCaller } from './furnish.ts'

export type FirstRun = {
  testKey: string
  /** Of the link by which the owner names themselves. */
  setupToken: string
  agentId: string
  collectionId: string
  whenReady: Furnished['whenReady']
}

/** Null if it was done before. Of two servers that start at once on one database, one does it. */
export async function prepareFirstRun(
  services: Services,
  dependencies: Dependencies,
): Promise<FirstRun | null> {
  const { database } = dependencies
  const owner = await database.write(async tx => {
    if (!(await claimFirstRun(tx))) return null
    const plan = 'enterprise' as const
    const workspace = await services.workspaces.create(tx, { name: 'My workspace', plan })
    const user =
      (await services.identity.findByEmail(tx, firstOwnerEmail)) ??
      (await services.identity.create(tx, { email: firstOwnerEmail, name: 'Owner', emailVerified: false }))
    const made = { workspaceId: workspace.id, userId: user.id, plan }
    await services.members.add(tx, owningCaller(dependencies, made, 'live'), {
      userId: user.id,
      role: 'owner',
    })
    return { ...made, setupToken: await services.setup.invite(tx, user.id) }
  })
  if (owner === null) return null
  const furnished = await furnishWorkspace(services, dependencies, owner)
  const { key } = await services.apiKeys.create(owningCaller(dependencies, owner, 'test'), {
    name: 'First test key',
    permissions: [...permissions],
  })
  const { sandboxAgentId: agentId, sandboxCollectionId: collectionId, whenReady } = furnished
  return { testKey: key, setupToken: owner.setupToken, agentId, collectionId, whenReady }
}

/** True for the first who asks: it is theirs to make the first workspace. */
export async function claimFirstRun(tx: Tx): Promise<boolean> {
  // The row that two would insert at once; the second waits for the first and then finds it.
  const claimed = await tx
    .insertInto('meta')
    .values({ name: 'first_run', value: 'done' })
    .onConflict(conflict => conflict.column('name').doNothing())
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** The page on which the holder of the token names the first owner. */
export const setupUrl = (publicUrl: string, token: string): string => `${publicUrl}/setup?token=${token}`

/** What the first start prints: where it is, the test key, and calls that work when they are pasted; README.md shows the same. */
export function welcome(
  address: string,
  publicUrl: string,
  { testKey, setupToken, agentId, collectionId }: FirstRun,
): string {
  const api = `${address}/api/v1`
  const key = '-H "Authorization: Bearer $KEY"'
  return `
Atrium is ready.

  API         ${api}
  Reference   ${address}/docs
  Console     ${setupUrl(publicUrl, setupToken)}
              (name its owner there; the link works once)
  Test key    ${testKey}
              (shown this once; it works in the sandbox: no cost, no call to the outside)

Lines to paste:

  export ATRIUM=${api}
  export KEY=${testKey} AGENT=${agentId} COLLECTION=${collectionId}

  # Ask the agent
  curl -s $ATRIUM/agents/$AGENT/run ${key} -H "Content-Type: application/json" -d '{"prompt": "${demoQuestion}"}'

  # Upload a file, and wait until it can be found
  curl -s -X PUT $ATRIUM/knowledge/collections/$COLLECTION/documents/security ${key} -H "Prefer: wait=10" -F file=@SECURITY.md

  # Search it
  curl -s "$ATRIUM/knowledge/search?query=report+a+weakness&pageSize=1" ${key}

  # Remove it
  curl -s -X DELETE "$ATRIUM/knowledge/collections/$COLLECTION/documents/security?erase=true" ${key}

`
}
