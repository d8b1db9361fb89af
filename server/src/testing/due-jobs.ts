/** Jobs that are to wait begin at once: their time is the database's, which no test can choose. */
import type { TestApp } from './test-app.ts'

/** Milliseconds between the making of the one job that waits in this queue and its time; the job is due from now on. */
export async function makeDue({ dependencies: { database } }: TestApp, queue: string): Promise<number> {
  return database.write(async tx => {
    const job = await tx
      .selectFrom('jobs')
      .select(['id', 'run_at', 'created_at'])
      .where('queue', '=', queue)
      .where('state', '=', 'queued')
      .executeTakeFirstOrThrow()
    await tx.updateTable('jobs').set({ run_at: job.created_at }).where('id', '=', job.id).execute()
    return job.run_at - job.created_at
  })
}
