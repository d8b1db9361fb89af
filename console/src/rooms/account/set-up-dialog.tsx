/** Setting the second factor up: the password, the code to scan, the first code of the app, the recovery codes. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { verifyTotp } from '../../session/session-client.ts'
import { useRefreshSession } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { beginSecondFactor } from './account-client.ts'
import { PasswordDialog } from './password-dialog.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'

type Begun = { totpURI: string; backupCodes: readonly string[] }

export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefreshSession()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [proven, setProven] = useState(false)
  if (begun === null) {
    return (
      <PasswordDialog
        title="Set up the second factor"
        description="You need an authenticator app on your phone or in your password manager."
        confirmLabel="Go on"
        send={beginSecondFactor}
        onDone={setBegun}
        onClose={onClose}
      />
    )
  }
  if (!proven) return <ScanDialog uri={begun.totpURI} onProven={() => setProven(true)} onClose={onClose} />
  return (
    <RecoveryCodesDialog
      codes={begun.backupCodes}
      onClose={() => {
        onClose()
        void refresh()
      }}
    />
  )
}

type ScanProps = { uri: string; onProven: () => void; onClose: () => void }

function ScanDialog({ uri, onProven, onClose }: ScanProps) {
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useMutation({ mutationFn: verifyTotp })
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Scan this with the app"
      description="Then type the six digits that it shows. Until then nothing is changed."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          mutate(code.replace(/\s/g, ''), { onSuccess: onProven })
        }}
      >
        <QrCode text={uri} label="Code to scan with the authenticator app" />
        <Field label="Code of the app" error={fieldErrorsOf(error).code}>
          <Input
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono tracking-widest"
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
        </Field>
        <CopyField
          label="Where you cannot scan it: the key"
          what="key"
          value={new URL(uri).searchParams.get('secret') ?? ''}
        />
        {error !== null && !isToldBeside(['code'], error) && <ErrorNotice error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            Turn it on
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
