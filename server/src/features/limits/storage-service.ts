/** Whether there is room in the plan's storage, for files and for the texts of runs alike. */
import type { Caller, Scope, WholeScope } from '../../platform/caller.ts'
import type { Query } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Limits } from './service.ts'

/** Bytes in use in the environment, as they are counted with each change. */
export const usedStorage = (scope: Scope, query: Query): Promise<number> => sumStoredBytes(scope, query)

/** Throws `storage_limit` if there is no room by now for so many bytes more; what is in progress beside it is not counted. */
export async function requireStorage(
  limits: Limits,
  caller: Caller,
  query: Query,
  sizeBytes: number,
): Promise<void> {
  const { storageBytes } = limits.of(caller)
  const usedBytes = await usedStorage(caller.scope, query)
  if (usedBytes + sizeBytes <= storageBytes) return
  limits.reached(caller.scope, { limit: 'storage', agentId: null, max: storageBytes, used: usedBytes })
  throw new ServiceError(
    'storage_limit',
    `The plan's storage of ${storageBytes} bytes would be exceeded: ${usedBytes} are in use, earlier versions, the trash and runs among them`,
  )
}

/** Bytes of every file that is kept, earlier versions and the trash among them, and of the texts of runs. */
async function sumStoredBytes({ workspaceId, environment }: WholeScope, query: Query): Promise<number> {
  const [row] = (await sumBytes(query, { workspaceId, environment })).rows
  return Number(row?.files ?? 0) + Number(row?.runs ?? 0)
}

const sumBytes = statement((query, { workspaceId, environment }: WholeScope) =>
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
