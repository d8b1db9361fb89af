/** Where a person types the code that a device shows, and says what the device gets. */
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { askForDevice, decideOnDevice, type Grant, type Question } from '../session/session-client.ts'
import { TextField } from '../ui/field.tsx'
import { Consent, SignedInDoor } from './consent.tsx'
import { DoorForm, DoorFrame } from './door.tsx'

export function Door() {
  return (
    <SignedInDoor title="Sign in a device">
      <Device />
    </SignedInDoor>
  )
}

type Step =
  | { kind: 'code' }
  | { kind: 'question'; userCode: string; question: Question }
  | { kind: 'done'; isAllowed: boolean }

function Device() {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const [step, setStep] = useState<Step>({ kind: 'code' })
  if (step.kind === 'done') {
    return (
      <DoorFrame
        title={step.isAllowed ? 'The device is signed in' : 'The device was refused'}
        description={
          step.isAllowed
            ? 'It goes on by itself in a moment. You can close this page.'
            : 'It gets nothing. You can close this page.'
        }
      >
        {null}
      </DoorFrame>
    )
  }
  if (step.kind === 'question') {
    const { userCode, question } = step
    const decide = async (decision: { userId: string; grant: Grant | null }): Promise<void> => {
      await decideOnDevice({ userCode, ...decision })
      setStep({ kind: 'done', isAllowed: decision.grant !== null })
    }
    return <Consent question={question} onDecide={decide} />
  }
  return (
    <DoorFrame title="Sign in a device" description="Type the code that it shows.">
      <DoorForm
        submitLabel="Go on"
        beside={['userCode']}
        onSubmit={async textOf => {
          const userCode = textOf('userCode')
          setStep({ kind: 'question', userCode, question: await askForDevice(userCode) })
        }}
      >
        {errors => (
          <TextField
            label="Code"
            name="userCode"
            hint="Compare it with the device, also if it stands here already."
            error={errors.userCode}
            required
            autoFocus
            maxLength={50}
            autoComplete="off"
            spellCheck={false}
            defaultValue={search.code}
            className="font-mono tracking-widest uppercase"
          />
        )}
      </DoorForm>
    </DoorFrame>
  )
}
