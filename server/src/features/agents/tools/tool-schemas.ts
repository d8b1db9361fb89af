/** What goes over the wire about the tools that agents can be given. */

import { permissions } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum } from '../../../platform/schemas.ts'

const jsonSchema = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const AgentTool = Type.Object(
  {
    name: Type.String({ description: 'What stands in the `tools` of an agent.', examples: ['calculator'] }),
    description: Type.String({ description: 'What a model is told that the tool is for.' }),
    integrationId: nullable(Type.String(), {
      description:
        'The integration whose connections it uses: an agent has it with one of them in `connectionIds`. Null where it needs none.',
    }),
    permission: stringEnum(permissions, {
      description: 'What the key that runs the agent must hold: a tool acts for it and may do no more.',
    }),
    safeToRepeat: Type.Boolean({
      description:
        'False where a second call could do something twice: a run that is taken up again does not repeat such a call. Of `http_request`, GET and HEAD are safe.',
    }),
    needsApproval: Type.Boolean({
      description:
        'True where every call waits for an approval; an agent’s `approvalTools` add others. Of `http_request`, calls other than GET and HEAD wait anyway.',
    }),
    inputSchema: jsonSchema('JSON Schema of its arguments.'),
    outputSchema: jsonSchema('JSON Schema of what the model and the step are shown of a result.'),
  },
  { title: 'AgentTool', additionalProperties: false },
)
export type AgentTool = Static<typeof AgentTool>

export const agentToolExample: AgentTool = {
  name: 'current_time',
  description: 'Tells the date, the time and the day of the week now, in any time zone.',
  integrationId: null,
  permission: 'agents:run',
  safeToRepeat: true,
  needsApproval: false,
  inputSchema: {
    type: 'object',
    properties: { timeZone: { type: 'string', minLength: 1, maxLength: 100 } },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    required: ['utc', 'timeZone', 'local', 'weekday'],
    properties: {
      utc: { type: 'string' },
      timeZone: { type: 'string' },
      local: { type: 'string' },
      weekday: { type: 'string' },
    },
    additionalProperties: false,
  },
}
