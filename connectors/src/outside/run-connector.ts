/** Brings a collection in line with a service from outside the server: by the SDK, with the same file that the server runs. */
import type { Atrium } from '@atrium/sdk'
import { fetchWaiting, followSource, needsFullListing } from '../syncing/follow-source.ts'
import { type Opening, openContext } from './open-context.ts'
import type { KeptState } from './run-state.ts'
import { RunError, type RunOutcome, SdkDestination } from './sdk-destination.ts'

export type Run = Opening & {
  atrium: Atrium
  collectionId: string
  kept: KeptState
  /** Lists everything, also where the service could tell what changed. */
  full?: boolean
  /** How many documents may be deleted at most where that is a large part; the guard names the number. */
  confirmDeletes?: number | undefined
  /** How far it is, in a line. */
  tell?(line: string): void
}

/**
 * Everything that `kept` tells of is done: a run that was killed goes on from there. Throws `RunError`, `ListingError` and
 * `HttpFailure`.
 */
export async function runConnector(run: Run): Promise<RunOutcome> {
  const { connector, kept, tell = () => undefined } = run
  const { source } = connector
  if (source === undefined)
    throw new RunError(`${connector.id} has no source: there is nothing to keep in sync`)
  const { since, lastFullAt } = kept.state
  const isFull =
    run.full === true || needsFullListing(source, { since, lastFullAtMs: lastFullAt, nowMs: Date.now() })
  const destination = new SdkDestination({
    ...run,
    sourceId: connector.id,
    since: isFull ? null : since,
    tell,
  })
  const context = openContext(run)
  try {
    await followSource(source, context, destination)
    await destination.removeGone(run.confirmDeletes, () => fetchWaiting(source, context, destination))
  } finally {
    await kept.save()
  }
  return destination.outcome()
}
