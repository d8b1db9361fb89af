/** What is stored in an environment, as its collections and agents count it. */
import type { Scope } from '../../platform/caller.ts'
import type { Query } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

type Place = Pick<Scope, 'workspaceId' | 'environment'>

/** Bytes of every file that is kept, earlier versions and the trash among them, and of the texts of runs. */
export async function sumStoredBytes({ workspaceId, environment }: Place, query: Query): Promise<number> {
  const [row] = (await sumBytes(query, { workspaceId, environment })).rows
  return Number(row?.files ?? 0) + Number(row?.runs ?? 0)
}

const sumBytes = statement((query, { workspaceId, environment }: Place) =>
  query.selectNoFrom(eb => [
    eb
      .selectFrom('collections')
      .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .as('files'),
    eb
      .selectFrom('agents')
      .select(({ fn }) => fn.sum<number | null>('run_bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .as('runs'),
  ]),
)
