/** Ends a run with all that are parts of it, where no process works on them any more. */
import type { Tx } from '../../../platform/database/database.ts'
import { lockTree, unfinishedWithin } from '../records/kept-calls-store.ts'
import { type RunRow, stepsOf } from '../records/run-store.ts'
import { fromRow, lastModel } from '../records/steps.ts'
import { type Ending, type EndRun, used } from './run-ending.ts'

/**
 * The parts first, as where they end by themselves, each with what its own steps have used; false where the run had ended
 * already.
 */
export async function endTree(
  endRun: EndRun,
  tx: Tx,
  run: Pick<RunRow, 'id' | 'root_run_id'>,
  ending: Pick<Ending, 'status' | 'error'>,
  now: number,
): Promise<boolean> {
  await lockTree(tx, run.root_run_id ?? run.id)
  const end = async (id: string): Promise<boolean> => {
    const steps = (await stepsOf(tx, [id])).map(fromRow)
    return await endRun(tx, id, { ...ending, model: lastModel(steps), ...used(steps) }, now)
  }
  for (const id of (await unfinishedWithin(tx, run)).toReversed()) await end(id)
  return await end(run.id)
}
