/** Why a run has failed, and what to do about it. */
import type { Run } from '@atrium/sdk'
import type { ReactNode } from 'react'
import { Notice } from '../../ui/notices.tsx'
import { remedyOfRun } from './run-errors.ts'

type RunFailureProps = { error: NonNullable<Run['error']>; action?: ReactNode }

export function RunFailure({ error: { code, message }, action }: RunFailureProps) {
  return (
    <Notice tone="danger" title={message} action={action}>
      <p>{remedyOfRun(code)}</p>
      <p className="mt-1 font-mono text-[12px] text-muted">{code}</p>
    </Notice>
  )
}
