/** The secret of an environment by which the callbacks of its runs are signed. */
import type { Insertable, Selectable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'

export type CallbackSecretRow = Selectable<Tables['callback_secrets']>

/** What the secret is sealed for. */
export const callbackSecretField = ({ environment }: Pick<Scope, 'environment'>): string =>
  `callbacks.${environment}.secret`

export const findCallbackSecret = (
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  query: Query,
): Promise<CallbackSecretRow | undefined> =>
  query
    .selectFrom('callback_secrets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .executeTakeFirst()

/** Makes it, or puts another in its place. */
export const putCallbackSecret = (_scope: Scope, tx: Tx, row: Insertable<Tables['callback_secrets']>) => {
  const { secret, previous_secret, previous_secret_expires_at, updated_at } = row
  return tx
    .insertInto('callback_secrets')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['workspace_id', 'environment'])
        .doUpdateSet({ secret, previous_secret, previous_secret_expires_at, updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}
