/** The second factor at the sign-in: the code of an app, or one of the recovery codes. */
import { useState } from 'react'
import { verifyRecoveryCode, verifyTotp } from '../session/session-client.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { DoorFrame } from './door-frame.tsx'
import { textOf, useSubmit } from './use-submit.ts'

export function SecondFactor({ onDone, onBack }: { onDone: () => Promise<void>; onBack: () => void }) {
  const [byRecovery, setByRecovery] = useState(false)
  const { busy, error, onSubmit } = useSubmit(async form => {
    const code = textOf(form, 'code').replace(/\s/g, '')
    await (byRecovery ? verifyRecoveryCode(code) : verifyTotp(code))
    await onDone()
  })
  return (
    <DoorFrame
      title="Second factor"
      description={
        byRecovery
          ? 'Enter one of the recovery codes that you kept. Each works once.'
          : 'Enter the six digits that your authenticator app shows.'
      }
    >
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <Field label={byRecovery ? 'Recovery code' : 'Code'}>
          <Input
            key={String(byRecovery)}
            name="code"
            required
            autoFocus
            autoComplete="one-time-code"
            inputMode={byRecovery ? 'text' : 'numeric'}
            className="font-mono tracking-widest"
          />
        </Field>
        {error !== null && <ErrorNotice error={error} />}
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          Sign in
        </Button>
        <div className="flex flex-wrap justify-between gap-2">
          <Button variant="ghost" size="small" onClick={onBack}>
            Back
          </Button>
          <Button variant="ghost" size="small" onClick={() => setByRecovery(!byRecovery)}>
            {byRecovery ? 'Use the app instead' : 'Use a recovery code'}
          </Button>
        </div>
      </form>
    </DoorFrame>
  )
}
