/** The second factor: on or off, how it is set up, and its recovery codes. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { verifyTotp } from '../../session/session-client.ts'
import { useRefreshSession } from '../../session/use-session.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, CopyField } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { ShownOnceDialog } from '../../ui/secrets.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { beginSecondFactor, endSecondFactor, renewRecoveryCodes } from './account-client.ts'
import { QrCode } from './qr-code.tsx'

type OpenDialog = { kind: 'set-up' | 'renew' | 'end' } | { kind: 'codes'; codes: readonly string[] }

/** The second factor: on or off, new recovery codes. */
export function SecondFactorCard({ isOn }: { isOn: boolean }) {
  const toasts = useToasts()
  const refresh = useRefreshSession()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const close = () => setOpenDialog(null)
  return (
    <Card
      title="Second factor"
      description="A code of an authenticator app, asked for at every sign-in. A password alone then opens nothing."
      actions={isOn ? <StateBadge tone="good" label="On" /> : <StateBadge label="Off" />}
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onClick={() => setOpenDialog({ kind: 'renew' })}>New recovery codes…</Button>
            <Button onClick={() => setOpenDialog({ kind: 'end' })}>Turn it off…</Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setOpenDialog({ kind: 'set-up' })}>
            Set it up…
          </Button>
        )}
      </div>
      {openDialog?.kind === 'set-up' && <SetUpDialog onClose={close} />}
      {openDialog?.kind === 'renew' && (
        <PasswordDialog
          title="New recovery codes"
          description="Ten new ones; the old ones stop working at once."
          confirmLabel="Make new codes"
          send={renewRecoveryCodes}
          onDone={({ backupCodes }) => setOpenDialog({ kind: 'codes', codes: backupCodes })}
          onClose={close}
        />
      )}
      {openDialog?.kind === 'codes' && <RecoveryCodesDialog codes={openDialog.codes} onClose={close} />}
      {openDialog?.kind === 'end' && (
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

type Begun = { totpURI: string; backupCodes: readonly string[] }

/** Setting the second factor up: the password, the code to scan, the first code of the app, the recovery codes. */
function SetUpDialog({ onClose }: { onClose: () => void }) {
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
    <FormDialog
      onClose={onClose}
      size="small"
      title="Scan this with the app"
      description="Then type the six digits that it shows. Until then nothing is changed."
      submitLabel="Turn it on"
      busy={isPending}
      error={error}
      beside={['code']}
      onSubmit={() => mutate(code.replace(/\s/g, ''), { onSuccess: onProven })}
    >
      <QrCode text={uri} label="Code to scan with the authenticator app" />
      <TextField
        label="Code of the app"
        error={fieldErrorsOf(error).code}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        className="font-mono tracking-widest"
        value={code}
        onChange={setCode}
      />
      <CopyField
        label="Where you cannot scan it: the key"
        what="key"
        value={new URL(uri).searchParams.get('secret') ?? ''}
      />
    </FormDialog>
  )
}

type PasswordDialogProps<Answer> = {
  title: string
  description: string
  confirmLabel: string
  danger?: boolean
  send: (password: string) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  onClose: () => void
}

/** Asks for the password before something that an open page alone must not do. */
function PasswordDialog<Answer>(props: PasswordDialogProps<Answer>) {
  const { title, description, confirmLabel, danger = false, send, onDone, onClose } = props
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({ mutationFn: send })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title={title}
      description={description}
      submitLabel={confirmLabel}
      danger={danger}
      busy={isPending}
      error={error}
      beside={['password']}
      onSubmit={() => mutate(password, { onSuccess: answer => void onDone(answer) })}
    >
      <TextField
        label="Your password"
        error={fieldErrorsOf(error).password}
        secret
        required
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  )
}

type RecoveryCodesProps = { codes: readonly string[]; onClose: () => void }

/** The codes for the day on which the app is lost, shown this once. */
function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesProps) {
  return (
    <ShownOnceDialog onClose={onClose} size="small" title="Your recovery codes" doneLabel="I have kept them">
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Keep them now">
          They are shown this once. Each signs you in one time without the app. Put them where you do not keep
          your password.
        </Notice>
        <CodeBlock label="Recovery codes" code={codes.join('\n')} />
      </div>
    </ShownOnceDialog>
  )
}
