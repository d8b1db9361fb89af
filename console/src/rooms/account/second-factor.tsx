/** The second factor: on or off, how it is set up, and its recovery codes. */

import qrcode from 'qrcode-generator'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import {
  beginSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  verifyTotp,
} from '../../session/session-client.ts'
import { useRefreshSession } from '../../session/use-session.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, CopyField } from '../../ui/copy.tsx'
import { FormDialog, type FormDialogProps } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { ShownOnceDialog } from '../../ui/secrets.tsx'
import { useToasts } from '../../ui/toast.tsx'

type OpenDialog = { kind: 'set-up' | 'renew' | 'end' } | { kind: 'codes'; codes: readonly string[] }

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
          submitLabel="Make new codes"
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
          submitLabel="Turn it off"
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

function SetUpDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefreshSession()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [proven, setProven] = useState(false)
  if (begun === null) {
    return (
      <PasswordDialog
        title="Set up the second factor"
        description="You need an authenticator app on your phone or in your password manager."
        submitLabel="Go on"
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
  const { of, sending } = useForm({
    initial: { code: '' },
    write: (_, { code }) => verifyTotp(code.replace(/\s/g, '')),
    onDone: onProven,
  })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title="Scan this with the app"
      description="Then type the six digits that it shows. Until then nothing is changed."
      submitLabel="Turn it on"
      {...sending}
    >
      <QrCode text={uri} label="Code to scan with the authenticator app" />
      <TextField
        label="Code of the app"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        className="font-mono tracking-widest"
        {...of('code')}
      />
      <CopyField
        label="Where you cannot scan it: the key"
        what="key"
        value={new URL(uri).searchParams.get('secret') ?? ''}
      />
    </FormDialog>
  )
}

type PasswordDialogProps<Answer> = Pick<
  FormDialogProps,
  'title' | 'description' | 'submitLabel' | 'danger' | 'onClose'
> & {
  send: (password: string) => Promise<Answer>
  onDone: (answer: Answer) => unknown
}

/** Asks for the password before something that an open page alone must not do. */
function PasswordDialog<Answer>({ send, onDone, ...dialog }: PasswordDialogProps<Answer>) {
  const { of, sending } = useForm({
    initial: { password: '' },
    write: (_, { password }) => send(password),
    onDone,
  })
  return (
    <FormDialog size="small" {...dialog} {...sending}>
      <TextField label="Your password" secret required autoComplete="current-password" {...of('password')} />
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

/** The quiet edge that scanners need, in modules. */
const margin = 4

/** One path, since the policy allows no image from an address of its own making. Not every scanner reads white on black. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = draw(text)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block size-52 max-w-full rounded-md"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

function draw(text: string): { size: number; path: string } {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const modules = code.getModuleCount()
  const places = Array.from({ length: modules }, (_, place) => place)
  const path = places.flatMap(row =>
    places
      .filter(column => code.isDark(row, column))
      .map(column => `M${column + margin} ${row + margin}h1v1h-1z`),
  )
  return { size: modules + 2 * margin, path: path.join('') }
}
