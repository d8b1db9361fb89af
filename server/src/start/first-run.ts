/** What an empty server gets at its first start: a workspace on the largest plan, its owner, and a test key to try it with. */

import { demoQuestion } from '../features/agents/demo/demo.ts'
import { firstOwnerEmail } from '../features/identity/service.ts'
import { createFeatures, type Services } from '../features.ts'
import { permissions } from '../platform/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { joinedTo } from '../platform/database/joined.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Dependencies } from './dependencies.ts'
import { furnishWorkspace, owningCaller } from './furnish.ts'

export type FirstRun = {
  /** Of the link by which the owner names themselves. */
  setupToken: string
  /** Null if the link was made later, without a key, or if the key is revoked. */
  sandbox: {
    testKey: string
    agentId: string
    collectionId: string
    /** Resolves once the sandbox's documents can be found, after `waitMs`, or when the signal is aborted. */
    whenReady(waitMs: number, signal: AbortSignal): Promise<void>
  } | null
}

/**
 * What a start prints: the same at each one, until the first owner has used the setup link; then null. Of two servers
 * that start at once on one database, one makes it.
 */
export async function prepareFirstRun(
  services: Services,
  dependencies: Dependencies,
): Promise<FirstRun | null> {
  const { database, faults } = dependencies
  // One transaction: a start that is killed leaves all of it or nothing.
  await faults.within('first-start', () =>
    database.write(async tx => {
      if (await claimFirstRun(tx)) await makeFirstWorkspace(tx, dependencies)
    }),
  )
  const link = await services.setup.link()
  if (link === null) return null
  return { setupToken: link.token, sandbox: await sandboxOf(services, dependencies, link.kept) }
}

/** What the setup link keeps until it is used, sealed. */
type Kept = Partial<
  Record<'workspaceId' | 'userId' | 'keyId' | 'testKey' | 'agentId' | 'collectionId' | 'documentIds', string>
>

async function makeFirstWorkspace(tx: Tx, dependencies: Dependencies): Promise<void> {
  const within = { ...dependencies, database: joinedTo(dependencies.database, tx) }
  const features = createFeatures(within)
  const { services } = features
  try {
    const plan = 'enterprise' as const
    const workspace = await services.workspaces.create(tx, { name: 'My workspace', plan })
    const user =
      (await services.identity.findByEmail(tx, firstOwnerEmail)) ??
      (await services.identity.create(tx, { email: firstOwnerEmail, name: 'Owner', emailVerified: false }))
    const owner = { workspaceId: workspace.id, userId: user.id, plan }
    await services.members.add(tx, owningCaller(within, owner, 'live'), { userId: user.id, role: 'owner' })
    const furnished = await furnishWorkspace(services, within, owner)
    const { row, key } = await services.apiKeys.create(owningCaller(within, owner, 'test'), {
      name: 'First test key',
      permissions: [...permissions],
    })
    await services.setup.invite(tx, user.id, {
      workspaceId: workspace.id,
      userId: user.id,
      keyId: row.id,
      testKey: key,
      agentId: furnished.sandboxAgentId,
      collectionId: furnished.sandboxCollectionId,
      documentIds: furnished.documentIds.join(' '),
    } satisfies Required<Kept>)
  } finally {
    await services.authenticator.close()
    await features.close()
  }
}

async function sandboxOf(
  services: Services,
  dependencies: Dependencies,
  { workspaceId, userId, keyId, testKey, agentId, collectionId, documentIds = '' }: Kept,
): Promise<FirstRun['sandbox']> {
  if (!workspaceId || !userId || !keyId || !testKey || !agentId || !collectionId) return null
  const caller = owningCaller(dependencies, { workspaceId, userId, plan: 'enterprise' }, 'test')
  const key = await services.apiKeys.get(caller, keyId).catch(ignoreMissing)
  if (key === null || key.revoked_at !== null) return null
  return {
    testKey,
    agentId,
    collectionId,
    async whenReady(waitMs, signal) {
      const patience = { waitMs, signal }
      const reads = documentIds.split(' ').map(id => services.documents.get(caller, id, patience))
      // Somebody may have deleted one of them since.
      await Promise.all(reads.map(read => read.catch(ignoreMissing)))
    },
  }
}

function ignoreMissing(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null
  throw error
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

/** What a start prints until the link is used: where it is, the test key, and calls that work when they are pasted; README.md shows the same. */
export function welcome(address: string, publicUrl: string, { setupToken, sandbox }: FirstRun): string {
  const api = `${address}/api/v1`
  const places = `
Atrium is ready.

  API         ${api}
  Reference   ${address}/docs
  Console     ${setupUrl(publicUrl, setupToken)}
              (name its owner there; the link works once, and each start prints it until then)
`
  return sandbox === null ? `${places}\n` : `${places}${linesToPaste(api, sandbox)}`
}

function linesToPaste(
  api: string,
  {
    testKey,
    agentId,
    collectionId,
  }: Pick<NonNullable<FirstRun['sandbox']>, 'testKey' | 'agentId' | 'collectionId'>,
): string {
  const key = '-H "Authorization: Bearer $KEY"'
  return `  Test key    ${testKey}
              (printed until the link is used; it works in the sandbox: no cost, no call to the outside)

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
