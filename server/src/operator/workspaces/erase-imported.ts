/** Erases what a failed import has made of a workspace, before the workspace is used. */
import { createEraseQueue } from '../../features/knowledge/processing/erase.ts'
import { createIndexWriter } from '../../features/knowledge/search/index/index-writer.ts'
import type { Environment } from '../../platform/caller.ts'
import type { KnownWorkspace, Session } from '../session.ts'

export type MadeCollection = { id: string; environment: Environment }

/** Everything is erased at once, in this process, by the work that the server's job does. */
export async function eraseImported(
  session: Session,
  workspace: Pick<KnownWorkspace, 'id'>,
  collections: readonly MadeCollection[],
): Promise<void> {
  const { database, services, newId } = session
  const queue = createEraseQueue({
    ...session,
    index: createIndexWriter(database),
    jobs: services.jobs,
    audit: services.audit,
    eraseTraces: [],
    remembersCollection: async () => false,
  })
  for (const { id: collectionId, environment } of collections) {
    await queue.handle({
      id: newId('job'),
      payload: { scope: { workspaceId: workspace.id, environment }, collectionId },
      attempt: 1,
      lastAttempt: true,
      signal: new AbortController().signal,
      write: database.write,
      complete: database.write,
    })
  }
  await database.write(async tx => {
    const indexes = tx.selectFrom('search_indexes').select('number').where('workspace_id', '=', workspace.id)
    await tx.deleteFrom('search_languages').where('index_number', 'in', indexes).execute()
    await tx.deleteFrom('search_indexes').where('workspace_id', '=', workspace.id).execute()
    await tx.deleteFrom('jobs').where('lane', '=', workspace.id).execute()
    for (const table of ['agent_revisions', 'agents', 'teams', 'audit_log', 'members'] as const) {
      await tx.deleteFrom(table).where('workspace_id', '=', workspace.id).execute()
    }
    await tx.deleteFrom('workspaces').where('id', '=', workspace.id).execute()
  })
}
