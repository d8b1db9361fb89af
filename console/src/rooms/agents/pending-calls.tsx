/** Calls for which a run waits: those that a person decides about, and those that a program answers. */

import type { Run } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useMutation } from '@tanstack/react-query'
import { Check, Hourglass, ShieldQuestion, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useMayChange } from './use-ownership.ts'
import { ValueBlock } from './value-block.tsx'

type PendingApproval = Run['pendingApprovals'][number]
type PendingToolCall = Run['pendingToolCalls'][number]

export type Decide = (
  pending: PendingApproval,
  decision: { decision: 'approve' | 'reject'; reason?: string },
) => Promise<unknown>

type PendingCallsProps = {
  run: Pick<Run, 'pendingApprovals' | 'pendingToolCalls' | 'ownerId'>
  onDecide: Decide
}

export function PendingCalls({ run, onDecide }: PendingCallsProps) {
  const mayDecide = useMayChange(run)
  return (
    <div className="flex flex-col gap-3">
      {run.pendingApprovals.map(one => (
        <Approval
          key={`${one.runId} ${one.toolCallId}`}
          pending={one}
          mayDecide={mayDecide}
          onDecide={onDecide}
        />
      ))}
      {run.pendingToolCalls.map(one => (
        <AwaitedResult key={`${one.runId} ${one.toolCallId}`} pending={one} />
      ))}
    </div>
  )
}

/** Nothing to decide: only the program that runs the function has its result. */
const AwaitedResult = ({ pending }: { pending: PendingToolCall }) => (
  <div className="flex min-w-0 flex-col gap-3 rounded-md border p-4">
    <p className="flex items-start gap-2.5">
      <Hourglass aria-hidden size={18} className="mt-px shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block font-medium">
          The agent has called the function <code className="font-mono text-[13px]">{pending.name}</code>
        </span>
        <span className="block text-[13px] text-muted">
          It waits for the result of your program; without one, the run fails{' '}
          <RelativeTime time={pending.expiresAt} />.
        </span>
      </span>
    </p>
    <ValueBlock label={`Arguments of ${pending.name}`} caption="Arguments" value={pending.input} />
  </div>
)

type ApprovalProps = { pending: PendingApproval; mayDecide: boolean; onDecide: Decide }

function Approval({ pending, mayDecide, onDecide }: ApprovalProps) {
  const [reason, setReason] = useState('')
  const { mutate, variables, error, isPending, isSuccess } = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      onDecide(pending, withoutUndefined({ decision, reason: reason.trim() || undefined })),
  })
  // Decided, it stays so until the run says what has become of it.
  const decided = isPending || isSuccess ? variables : null
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-warn-line bg-warn-soft p-4">
      <legend className="sr-only">Approval of {pending.name}</legend>
      <p className="flex items-start gap-2.5">
        <ShieldQuestion aria-hidden size={18} className="mt-px shrink-0 text-warn-text" />
        <span className="min-w-0">
          <span className="block font-medium">
            The agent wants to call <code className="font-mono text-[13px]">{pending.name}</code>
          </span>
          <span className="block text-[13px] text-muted">
            It waits for your decision; without one, the run fails <RelativeTime time={pending.expiresAt} />.
          </span>
        </span>
      </p>
      <ValueBlock label={`Arguments of ${pending.name}`} caption="Arguments" value={pending.input} />
      {mayDecide ? (
        <>
          <TextField
            label="Reason"
            optional
            hint="Kept with the run; told to the model where you reject."
            maxLength={2_000}
            value={reason}
            onChange={setReason}
          />
          <ErrorNotice error={error} />
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              icon={Check}
              busy={decided === 'approve'}
              disabled={decided !== null}
              onClick={() => mutate('approve')}
            >
              Approve
            </Button>
            <Button
              icon={X}
              busy={decided === 'reject'}
              disabled={decided !== null}
              onClick={() => mutate('reject')}
            >
              Reject
            </Button>
          </div>
        </>
      ) : (
        <p className="text-muted">Your role does not include deciding it. Ask a member who runs agents.</p>
      )}
    </fieldset>
  )
}
