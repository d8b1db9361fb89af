/** Another agent as a tool: it answers in a separate run, for the same caller. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import type { Tool } from '../../../platform/tool.ts'

const CallInput = Type.Closed({
  agentId: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the agent to call.' }),
  prompt: Type.String({
    minLength: 1,
    maxLength: 100_000,
    pattern: '\\S',
    description: 'What to ask or tell it. It knows nothing of this conversation: say all that it needs.',
  }),
})

const CallOutput = Type.Closed({
  runId: Type.String({ description: 'The run in which it answered.' }),
  output: Type.String({ description: 'Its answer; markers such as [1] name the passages beside it.' }),
})

export const callAgentTool: Tool = {
  name: 'call_agent',
  description: 'Asks another agent and answers what it says, with the passages that it cites.',
  async describe({ agents }) {
    const listed = await agents.list()
    if (listed.length === 0) return 'There is no agent to call.'
    const lines = listed.map(
      ({ id, name, description }) => `${id} (${name})${description === null ? '' : `: ${description}`}`,
    )
    return ['Agents that can be called:', ...lines].join('\n')
  },
  permission: 'agents:run',
  // A repeated call continues the run that the first call began.
  safeToRepeat: true,
  needsApproval: false,
  input: CallInput,
  output: CallOutput,
  async run({ agents }, input, toolCallId) {
    const { agentId, prompt } = input as Static<typeof CallInput>
    const { runId, output, passages, spent } = await agents.call({ agentId, prompt, toolCallId })
    return { passages, contentFor: markers => ({ runId, output: output(markers) }), spent }
  },
}
