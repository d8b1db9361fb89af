/** The phases of a sync, from the one in which the attempt before ended. */
import { type Connector, type Context, followSource, type Source, SourceFault } from '@atrium/connectors'
import type { Scope } from '../../../platform/caller.ts'
import { type Clock, dayMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { ActingMember } from '../../workspaces/acting-member-service.ts'
import type { ConnectorHost } from '../credentials/connector-host.ts'
import { findConnection } from '../records/store.ts'
import { type DestinationDependencies, openDatabaseDestination } from './database-destination.ts'
import { type Removals, removeGone } from './removing.ts'
import { sandboxContext, sandboxSource } from './sandbox-source.ts'
import { createSyncAttempt } from './sync-attempt.ts'
import type { ConnectionSyncRow } from './syncs-store.ts'

export type WorkDependencies = DestinationDependencies & {
  database: Database
  host: Pick<ConnectorHost, 'use'>
  sessions: Removals
  actingMember: ActingMember
  clock: Clock
  faults: Faults
}

/** A sync that has not ended by then never will. */
const longestSyncMs = 7 * dayMs

/** Does what is left of the sync. Throws what holds it up. */
export async function workOnSync(
  dependencies: WorkDependencies,
  scope: Scope,
  claimed: ConnectionSyncRow & { claim: string },
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, actingMember, sessions } = dependencies
  if (clock() - claimed.created_at > longestSyncMs) {
    throw new SourceFault('timeout', 'The sync came to no end within a week')
  }
  const connection = await findConnection(scope, database.read, claimed.connection_id)
  if (connection === undefined) throw notFound()
  const caller = await actingMember(scope, claimed.acting_user_id)
  if (caller === null) throw creatorGone()
  if (!caller.permissions.has('knowledge:write')) throw mayNotWrite()
  const attempt = createSyncAttempt(
    { ...dependencies, scope, caller, signal, integrationId: connection.integration_id },
    claimed,
  )
  if (attempt.sync.phase !== 'removing') {
    const destination = await openDatabaseDestination(dependencies, attempt)
    const follow = (source: Source, context: Context) => followSource(source, context, destination)
    if (scope.environment === 'test') await follow(sandboxSource, sandboxContext(signal, clock))
    else {
      await dependencies.host.use(scope, connection.id, signal, (connector, context) =>
        follow(sourceOf(connector), context),
      )
    }
  }
  await removeGone(attempt, sessions)
}

function sourceOf({ source, name }: Connector): Source {
  if (source === undefined) throw new SourceFault('no_source', `${name} has nothing to keep in sync`)
  return source
}

const creatorGone = (): SourceFault =>
  new SourceFault(
    'creator_gone',
    'Whoever began this sync, or set its schedule, is no member any more: begin it again, or set the schedule anew',
  )

const mayNotWrite = (): SourceFault =>
  new SourceFault(
    'permission_missing',
    'Whoever began this sync, or set its schedule, may not write knowledge any more',
  )
