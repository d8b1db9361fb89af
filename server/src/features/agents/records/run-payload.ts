/** What the job of a run carries. */
export type RunPayload = {
  runId: string
  /** Whether there are earlier runs of its conversation to remember. */
  goesOn: boolean
}

export const runQueueName = 'runs'
