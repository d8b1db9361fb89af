/** The words of an agent's own page, and the pages that may put it in a frame. */
import type { Agent } from '@atrium/sdk'
import { useForm } from '../../api/form.ts'
import { useMay } from '../../api/scope.tsx'
import { TextareaField, TextField } from '../../ui/field.tsx'
import { SaveForm } from '../../ui/save-form.tsx'

export function FrameForm({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const { of, sending } = useForm({
    initial: {
      'frame.origins': agent.frame.origins.join('\n'),
      'frame.heading': agent.frame.heading ?? '',
      'frame.welcome': agent.frame.welcome ?? '',
    },
    write: (atrium, fields) =>
      atrium.agents.update(agent.id, {
        frame: {
          origins: fields['frame.origins'].split(/\s+/).filter(one => one !== ''),
          heading: fields['frame.heading'].trim() || null,
          welcome: fields['frame.welcome'].trim() || null,
        },
      }),
    changes: [['agents']],
    done: () => ({ title: 'The frame is saved' }),
  })
  if (!mayWrite) return null
  return (
    <SaveForm submitLabel="Save the frame" {...sending}>
      <TextareaField
        label="Pages that may frame it"
        hint="Origins, one on each line; those of a public chat may do so anyway."
        rows={2}
        {...of('frame.origins')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Heading of the frame" optional maxLength={100} {...of('frame.heading')} />
        <TextField label="First words of the frame" optional maxLength={300} {...of('frame.welcome')} />
      </div>
    </SaveForm>
  )
}
