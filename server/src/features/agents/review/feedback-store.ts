/** The columns of a run that hold what is thought of it. */
import type { Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { RunRow } from '../records/run-store.ts'

type FeedbackColumns = Pick<
  RunRow,
  'feedback_rating' | 'feedback_comment' | 'feedback_end_user_id' | 'feedback_at'
>

export const noFeedback: FeedbackColumns = {
  feedback_rating: null,
  feedback_comment: null,
  feedback_end_user_id: null,
  feedback_at: null,
}

/** Of a run that the caller has found within its scope. */
export async function updateFeedback(
  { workspaceId, environment }: Scope,
  tx: Tx,
  runId: string,
  feedback: FeedbackColumns,
): Promise<void> {
  await tx
    .updateTable('runs')
    .set(feedback)
    .set(({ eb }) => ({ change_count: eb('change_count', '+', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('id', '=', runId)
    .execute()
}
