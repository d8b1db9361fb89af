/** Making an agent: from a template or from nothing, with a name; the rest is said in its editor. */

import type { AgentTemplate } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { Choices } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'

const back = { to: '/agents', label: 'Agents' }
const blank = 'blank'

export function Room() {
  const templates = useApiQuery(['agents', 'catalog'], (atrium, options) =>
    atrium.agents.catalog({ pageSize: 100 }, options).page(),
  )
  return (
    <Page
      narrow
      back={back}
      title="New agent"
      description="Begin with a template, or with nothing. All of it can be changed afterwards."
    >
      <Loaded query={templates}>{({ items }) => <NewAgentForm templates={items} />}</Loaded>
    </Page>
  )
}

function NewAgentForm({ templates }: { templates: readonly AgentTemplate[] }) {
  const navigate = useNavigate()
  const { fields, setFields, of, sending } = useForm({
    initial: { templateId: blank, name: '' },
    write: ({ agents }, { templateId, name }) =>
      templateId === blank
        ? agents.create({ name: name.trim() })
        : agents.install(templateId, { name: name.trim() }),
    changes: [['agents'], ['overview']],
    onDone: ({ id }) => navigate({ to: `/agents/${id}/edit` }),
  })
  const { templateId, name } = fields
  const choose = (id: string) => {
    const named = (one: string) => templates.find(template => template.id === one)?.name ?? ''
    // A name of one's own stays; that of the template before is replaced.
    const isOwn = name.trim() !== '' && name !== named(templateId)
    setFields({ templateId: id, name: isOwn ? name : named(id) })
  }
  return (
    <SaveForm submitLabel="Create the agent" disabled={name.trim() === ''} cancelTo="/agents" {...sending}>
      <Card>
        <div className="flex flex-col gap-6">
          <Choices
            legend="Begin with"
            value={templateId}
            onChange={choose}
            choices={[
              { value: blank, label: 'Nothing', hint: 'You write its instructions yourself.' },
              ...templates.map(template => ({
                value: template.id,
                label: template.name,
                hint: template.description,
              })),
            ]}
          />
          <TextField
            label="Name"
            hint="For people, and for agents that may call this one."
            required
            autoFocus
            maxLength={100}
            {...of('name')}
          />
        </div>
      </Card>
    </SaveForm>
  )
}
