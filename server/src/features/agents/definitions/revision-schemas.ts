/** What goes over the wire about the revisions of agents. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, timestamp } from '../../../platform/schemas.ts'
import { AgentContent, contentExample } from './agent-fields.ts'

export const FieldChange = Type.Object(
  {
    field: Type.String({ description: 'The field that differs.' }),
    before: Type.Unknown({ description: 'Its value before.' }),
    after: Type.Unknown({ description: 'Its value after.' }),
  },
  { title: 'FieldChange', additionalProperties: false },
)
export type FieldChange = Static<typeof FieldChange>

const summary = {
  id: idOf('revision', { description: 'Id of the revision, to go on behind it in the list.' }),
  agentId: idOf('agent', { description: 'The agent.' }),
  revision: Type.Integer({ minimum: 1, description: 'Counted from 1.' }),
  isPublished: Type.Boolean({ description: 'Whether it is the one that runs.' }),
  changedFields: Type.Array(Type.String(), {
    description: 'Fields that differ from the revision before; empty for the first.',
    examples: [['instructions']],
  }),
  createdBy: nullable(idOf('user'), { description: 'The user whose key made it; null for the server.' }),
  createdAt: timestamp({ description: 'When it was made.' }),
}

export const AgentRevision = Type.Object(summary, { title: 'AgentRevision', additionalProperties: false })
export type AgentRevision = Static<typeof AgentRevision>

export const AgentRevisionDetail = Type.Object(
  {
    ...summary,
    content: AgentContent,
    changes: Type.Array(FieldChange, {
      description: 'What differs from the revision before; empty for the first.',
    }),
  },
  { title: 'AgentRevisionDetail', additionalProperties: false },
)
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
