/** The wire format of agents and their templates. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { accessFields, changeableAccessFields } from '../../workspaces/teams/teams-schemas.ts'
import { AgentContent, changeableFields, contentExample, contentFields } from './agent-fields.ts'
import { AgentFrame, NewAgentFrame, noFrame } from './agent-frame.ts'

export const agentStatuses = ['active', 'paused'] as const

const statusField = stringEnum(agentStatuses, {
  description:
    'A `paused` agent refuses new runs with 409. Not part of a revision: a change takes effect at once.',
})

const viewersMayRun = Type.Boolean({
  description:
    'Whether viewers may run the agent, in conversations of their own. Not part of a revision: a change takes effect at once.',
})

export const Agent = Type.Closed('Agent', {
  id: idOf('agent', { description: 'Id of the agent.' }),
  ...contentFields,
  approvals: Type.Array(
    Type.Closed({
      tool: Type.String({ description: 'Name of a tool in `tools`.' }),
      calls: stringEnum(['all', 'some', 'none'], {
        description:
          'Which of its calls wait for an approval. `some` depends on the call: `http_request` waits with any method but GET and HEAD.',
      }),
    }),
    {
      description:
        'What waits for an approval in effect: by `approvalTools`, and because a tool changes something elsewhere.',
    },
  ),
  status: statusField,
  viewersMayRun,
  frame: AgentFrame,
  ...accessFields,
  revision: Type.Integer({
    minimum: 1,
    description: 'Number of the latest revision, which these fields show.',
  }),
  publishedRevision: Type.Integer({
    minimum: 1,
    description: 'Number of the revision that new runs use.',
  }),
  createdAt: timestamp({ description: 'When the agent was made.' }),
  updatedAt: timestamp({ description: 'When it was last changed or published.' }),
})
export type Agent = Static<typeof Agent>

export const NewAgent = Type.Closed('AgentInput', {
  name: contentFields.name,
  ...changeableFields,
  status: Type.Optional(statusField),
  viewersMayRun: Type.Optional(viewersMayRun),
  frame: Type.Optional(NewAgentFrame),
  ...changeableAccessFields,
})
export type NewAgent = Static<typeof NewAgent>

export const AgentChange = Type.Closed(
  'AgentChange',
  {
    name: Type.Optional(contentFields.name),
    ...changeableFields,
    status: Type.Optional(statusField),
    viewersMayRun: Type.Optional(viewersMayRun),
    frame: Type.Optional(NewAgentFrame),
    ...changeableAccessFields,
    fromRevision: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Takes the fields that you do not send from this revision instead of the latest. Use it to edit a revision after a rollback.',
      }),
    ),
    publish: Type.Optional(
      Type.Boolean({
        description:
          'False keeps the new revision as a draft: runs still use the published one. By default it is published, including the changes of earlier drafts.',
      }),
    ),
  },
  { minProperties: 1 },
)
export type AgentChange = Static<typeof AgentChange>

export const AgentTemplate = Type.Closed('AgentTemplate', {
  id: Type.String({ description: 'Id of the template.', examples: ['knowledge-assistant'] }),
  name: Type.String({ description: 'Name that an installed agent gets.' }),
  description: Type.String({ description: 'What the agent is for.' }),
  category: stringEnum(['knowledge', 'support', 'writing', 'research'], { description: 'Kind of work.' }),
  instructions: Type.String({ description: 'Instructions that an installed agent gets.' }),
  tools: Type.Array(Type.String(), { description: 'Tools that an installed agent gets.' }),
})
export type AgentTemplate = Static<typeof AgentTemplate>

export const AgentInstallation = Type.Closed('AgentInstallation', {
  name: Type.Optional(contentFields.name),
  model: changeableFields.model,
  collectionIds: changeableFields.collectionIds,
})
export type AgentInstallation = Static<typeof AgentInstallation>

export const agentExample: Agent = {
  id: exampleId('agent'),
  ...contentExample,
  approvals: [{ tool: 'search_knowledge', calls: 'none' }],
  status: 'active',
  viewersMayRun: false,
  frame: noFrame,
  access: 'workspace',
  teamIds: [],
  revision: 1,
  publishedRevision: 1,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const templateExample: AgentTemplate = {
  id: 'knowledge-assistant',
  name: 'Knowledge assistant',
  description: 'Answers questions from your documents and shows where each answer stands.',
  category: 'knowledge',
  instructions: 'Answer from the documents, briefly, and say so when they do not answer.',
  tools: ['search_knowledge'],
}

export const Publication = Type.Closed('Publication', {
  revision: Type.Integer({
    minimum: 1,
    description: 'Revision to publish; may be an earlier one.',
  }),
})
export type Publication = Static<typeof Publication>

export const FieldChange = Type.Closed('FieldChange', {
  field: Type.String({ description: 'The field that differs.' }),
  before: Type.Unknown({ description: 'Its value before.' }),
  after: Type.Unknown({ description: 'Its value after.' }),
})
export type FieldChange = Static<typeof FieldChange>

const summary = {
  id: idOf('revision', { description: 'Id of the revision, for `after` in the list.' }),
  agentId: idOf('agent', { description: 'The agent.' }),
  revision: Type.Integer({ minimum: 1, description: 'Counted from 1.' }),
  isPublished: Type.Boolean({ description: 'Whether new runs use this revision.' }),
  changedFields: Type.Array(Type.String(), {
    description: 'Fields that changed from the revision before; empty for the first.',
    examples: [['instructions']],
  }),
  createdBy: nullable(idOf('user'), {
    description: 'Id of the user whose key created it; null for the server.',
  }),
  createdAt: timestamp({ description: 'When it was made.' }),
}

export const AgentRevision = Type.Closed('AgentRevision', summary)
export type AgentRevision = Static<typeof AgentRevision>

export const AgentRevisionDetail = Type.Closed('AgentRevisionDetail', {
  ...summary,
  content: AgentContent,
  changes: Type.Array(FieldChange, {
    description: 'Changes from the revision before; empty for the first.',
  }),
})
export type AgentRevisionDetail = Static<typeof AgentRevisionDetail>

export const revisionExample: AgentRevision = {
  id: exampleId('revision'),
  agentId: exampleId('agent'),
  revision: 2,
  isPublished: true,
  changedFields: ['instructions'],
  createdBy: exampleId('user'),
  createdAt: '2026-11-21T09:30:00.000Z',
}

export const revisionDetailExample: AgentRevisionDetail = {
  ...revisionExample,
  content: contentExample,
  changes: [{ field: 'instructions', before: '', after: contentExample.instructions }],
}
