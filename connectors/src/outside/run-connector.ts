/**
 * Syncs a collection with a service from outside the server: by the SDK, with the same connector file that the server
 * runs.
 */
import type { Atrium } from '@atrium/sdk'
import { fetchWaiting, followSource, needsFullListing } from '../syncing/follow-source.ts'
import { type Opening, openContext } from './open-context.ts'
import type { KeptState } from './run-state.ts'
import { RunError, type RunOutcome, SdkDestination } from './sdk-destination.ts'

export type Run = Opening & {
  atrium: Atrium
  collectionId: string
  kept: KeptState
  /** Lists everything, even if the service could tell what changed. */
  full?: boolean
  /**
   * How many documents may be deleted at most, if they are a large part of the collection. The guard names the
   * number.
   */
  confirmDeletes?: number | undefined
  /** Reports the progress, in one line. */
  tell?(line: string): void
}

/**
 * Everything that `kept` records is done, so the next run goes on after a run that was killed. Throws `RunError`,
 * `ListingError` and `HttpFailure`.
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
