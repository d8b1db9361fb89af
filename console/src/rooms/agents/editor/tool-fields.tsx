/** What the model may call, which calls wait for a person, and whom the tools may reach. */

import type { AgentTool } from '@atrium/sdk'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiQuery } from '../../../api/queries.ts'
import { RecordChoices, useRecords } from '../../../api/records.tsx'
import { useMay } from '../../../api/scope.tsx'
import { Checkbox } from '../../../ui/choices.tsx'
import { FieldError, TextareaField } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import type { SectionProps } from './draft.ts'

export function ToolFields({ draft, of, onChange, errors, agentId }: SectionProps & { agentId: string }) {
  const tools = useApiQuery(['agents', 'tools', 'all'], async (atrium, options) => {
    const items: AgentTool[] = []
    for await (const tool of atrium.agents.tools({ pageSize: 100 }, options)) items.push(tool)
    return { items }
  })
  const mayConnect = useMay('integrations:read')
  const connections = useRecords('connections').data?.items ?? []
  const bound = new Set(
    connections.filter(({ id }) => draft.connectionIds.includes(id)).map(one => one.integrationId),
  )
  const isOffered = ({ name, integrationId, connectionId }: AgentTool) =>
    draft.tools.includes(name) ||
    integrationId === null ||
    (connectionId === null ? bound.has(integrationId) : draft.connectionIds.includes(connectionId))
  return (
    <Card
      title="Tools"
      description="What the model may call. A tool acts for the person or key that runs the agent, with the same permissions."
    >
      <FieldError>{errors.tools}</FieldError>
      <FieldError>{errors.approvalTools}</FieldError>
      {mayConnect && (connections.length > 0 || draft.connectionIds.length > 0) && (
        <RecordChoices
          legend="Connections whose tools it can have"
          of="connections"
          {...of('connectionIds')}
        />
      )}
      <Loaded query={tools}>
        {({ items }) => (
          <ul className="flex flex-col divide-y rounded-md border">
            {[...items.filter(isOffered), ...goneTools(draft.tools, items)].map(tool => (
              <li key={tool.name} className="p-3">
                <ToolField tool={tool} draft={draft} onChange={onChange} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {draft.tools.includes('http_request') && (
        <TextareaField
          label="Hosts that http_request may reach"
          hint="One a line: api.example.com, api.example.com:8443, or *.example.com for all names below one."
          rows={3}
          spellCheck={false}
          className="font-mono text-[13px]"
          {...of('httpHosts')}
        />
      )}
      {draft.tools.includes('call_agent') && (
        <RecordChoices legend="Agents that it may call" of="agents" without={agentId} {...of('agentIds')} />
      )}
    </Card>
  )
}

/** Those that the agent names though they are not there: switched off at their connection, for instance. */
const goneTools = (names: readonly string[], items: readonly AgentTool[]): Tool[] =>
  names
    .filter(name => items.every(tool => tool.name !== name))
    .map(name => ({
      name,
      description: 'It cannot be used now. Take it away, or accept it again at its connection.',
      needsApproval: false,
      safeToRepeat: true,
    }))

type Tool = Pick<AgentTool, 'name' | 'description' | 'needsApproval' | 'safeToRepeat'>

type ToolFieldProps = Pick<SectionProps, 'draft' | 'onChange'> & { tool: Tool }

function ToolField({
  tool: { name, description, needsApproval, safeToRepeat },
  draft,
  onChange,
}: ToolFieldProps) {
  const { tools, approvalTools } = draft
  const isOn = tools.includes(name)
  const without = (list: readonly string[]) => list.filter(one => one !== name)
  return (
    <div className="flex flex-col gap-2.5">
      <Checkbox
        label={<span className="font-mono text-[13px] font-medium">{name}</span>}
        hint={`${description}${safeToRepeat ? '' : ' A call may do something that a second one would do twice.'}`}
        checked={isOn}
        onChange={on =>
          onChange({
            tools: on ? [...tools, name] : without(tools),
            approvalTools: on ? approvalTools : without(approvalTools),
          })
        }
      />
      {isOn && (
        <div className="pl-6.5">
          <Checkbox
            label={
              <>
                Wait for an approval<span className="sr-only"> of {name}</span>
              </>
            }
            hint={
              needsApproval
                ? 'Each call of this tool does.'
                : 'Each call waits until a person has approved it.'
            }
            disabled={needsApproval}
            checked={needsApproval || approvalTools.includes(name)}
            onChange={on =>
              onChange({ approvalTools: on ? [...approvalTools, name] : without(approvalTools) })
            }
          />
        </div>
      )}
    </div>
  )
}
