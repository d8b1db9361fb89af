/** How a run ended, read from the database: a person's run is read by that person alone, who may have lost the access. */
import { eventually } from '../eventually.ts'
import type { TestApp } from '../test-app.ts'

type EndedRun = { status: string; error: { code: string | null; message: string | null } }

export async function endOfRun({ dependencies }: TestApp, id: string): Promise<EndedRun> {
  const read = () =>
    dependencies.database.read
      .selectFrom('runs')
      .select(['status', 'error_code', 'error_message', 'finished_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  await eventually('the run ends', async () => (await read()).finished_at !== null)
  const { status, error_code: code, error_message: message } = await read()
  return { status, error: { code, message } }
}
