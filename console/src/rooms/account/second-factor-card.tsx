/** The second factor: on or off, new recovery codes. */
import { useState } from 'react'
import { useRefreshSession } from '../../session/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { endSecondFactor, renewRecoveryCodes } from './account-client.ts'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { SetUpDialog } from './set-up-dialog.tsx'

type Asked = { kind: 'set-up' | 'renew' | 'end' } | { kind: 'codes'; codes: readonly string[] }

export function SecondFactorCard({ isOn }: { isOn: boolean }) {
  const toasts = useToasts()
  const refresh = useRefreshSession()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  return (
    <Card
      title="Second factor"
      description="A code of an authenticator app, asked for at every sign-in. A password alone then opens nothing."
      actions={
        <Badge tone={isOn ? 'good' : 'neutral'} dot>
          {isOn ? 'On' : 'Off'}
        </Badge>
      }
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onClick={() => setAsked({ kind: 'renew' })}>New recovery codes…</Button>
            <Button onClick={() => setAsked({ kind: 'end' })}>Turn it off…</Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setAsked({ kind: 'set-up' })}>
            Set it up…
          </Button>
        )}
      </div>
      {asked?.kind === 'set-up' && <SetUpDialog onClose={close} />}
      {asked?.kind === 'renew' && (
        <PasswordDialog
          title="New recovery codes"
          description="Ten new ones; the old ones stop working at once."
          confirmLabel="Make new codes"
          send={renewRecoveryCodes}
          onDone={({ backupCodes }) => setAsked({ kind: 'codes', codes: backupCodes })}
          onClose={close}
        />
      )}
      {asked?.kind === 'codes' && <RecoveryCodesDialog codes={asked.codes} onClose={close} />}
      {asked?.kind === 'end' && (
        <PasswordDialog
          title="Turn the second factor off?"
          description="From then on your password alone signs you in, and your recovery codes are dead."
          confirmLabel="Turn it off"
          danger
          send={endSecondFactor}
          onDone={async () => {
            close()
            toasts.show({ title: 'The second factor is off' })
            await refresh()
          }}
          onClose={close}
        />
      )}
    </Card>
  )
}
