/** What goes over the wire about conversations. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, timestamp } from '../../../platform/schemas.ts'
import { narrowingFields } from '../records/run-schemas.ts'

const nameField = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'New name: 1 to 200 characters.',
})

export const Conversation = Type.Object(
  {
    id: idOf('conversation', { description: 'Id of the conversation.' }),
    agentId: idOf('agent', { description: 'The agent of the conversation.' }),
    endUserId: nullable(Type.String(), {
      description: 'Your id of the end user, as given with the first prompt.',
    }),
    ...narrowingFields,
    name: Type.String({
      description: 'Its name; by default the first words of its first prompt.',
    }),
    parentId: nullable(Type.String(), {
      description: 'The conversation that it branched from; null if there is none or it has been deleted.',
    }),
    branchRunId: nullable(Type.String(), {
      description: 'The last run of the parent conversation that this one remembers.',
    }),
    runCount: Type.Integer({
      minimum: 0,
      description: 'Number of its runs in any status, without those of the parent conversation.',
    }),
    summary: nullable(
      Type.Object(
        {
          text: Type.String({ description: 'Text of the summary.' }),
          untilRunId: Type.String({ description: 'The last run that the summary covers.' }),
        },
        { additionalProperties: false },
      ),
      {
        description: "Summary of the turns that no longer fit the model's context window; null until then.",
      },
    ),
    createdAt: timestamp({ description: 'When it was created.' }),
    updatedAt: timestamp({ description: 'When its last run was requested, or its name changed.' }),
  },
  { title: 'Conversation', additionalProperties: false },
)
export type Conversation = Static<typeof Conversation>

export const ConversationChange = Type.Object(
  { name: nameField },
  { title: 'ConversationChange', additionalProperties: false },
)
export type ConversationChange = Static<typeof ConversationChange>

export const NewBranch = Type.Object(
  {
    runId: idOf('run', {
      description:
        'The last run that the new conversation remembers. It must be an ended run of this conversation.',
    }),
    name: Type.Optional(nameField),
  },
  { title: 'NewBranch', additionalProperties: false },
)
export type NewBranch = Static<typeof NewBranch>

export const ConversationFilter = Type.Object({
  agentId: Type.Optional(idOf('agent', { description: 'Only conversations with this agent.' })),
  endUserId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only conversations of this end user.' }),
  ),
})
export type ConversationFilter = Static<typeof ConversationFilter>

export const conversationExample: Conversation = {
  id: exampleId('conversation'),
  agentId: exampleId('agent'),
  endUserId: 'ada',
  collectionIds: null,
  filter: null,
  name: 'How many days of leave do I have?',
  parentId: null,
  branchRunId: null,
  runCount: 1,
  summary: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
