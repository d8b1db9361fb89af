/** A call that waits for a person's approval. */
export type PendingCall = { callId: string; name: string; input: unknown }

/** What was decided about a call that had to wait for it, and by whom. */
export type Approval = {
  decision: 'approve' | 'reject'
  reason: string | null
  userId: string | null
  keyId: string | null
  at: number
}
