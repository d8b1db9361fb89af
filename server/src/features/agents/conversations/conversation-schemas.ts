/** The wire format of conversations. */

import { conversationAccesses } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { narrowingFields, ownerId } from '../records/run-schemas.ts'

const nameField = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'New name: 1 to 200 characters.',
})

const access = stringEnum(conversationAccesses, {
  description:
    'Which people read it besides its owner: none if `private`, the `teams` in `teamIds`, or everyone in the `workspace`. Keys never read the conversation of a person.',
})

const teamIds = Type.Array(idOf('team'), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Teams that read it if `access` is `teams`; otherwise empty.',
})

export const Conversation = Type.Closed('Conversation', {
  id: idOf('conversation', { description: 'Id of the conversation.' }),
  agentId: idOf('agent', { description: 'The agent of the conversation.' }),
  ownerId,
  access,
  teamIds,
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
    Type.Closed({
      text: Type.String({ description: 'Text of the summary.' }),
      untilRunId: Type.String({ description: 'The last run that the summary covers.' }),
    }),
    {
      description: "Summary of the turns that no longer fit the model's context window; null until then.",
    },
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When its last run was requested, or it was changed.' }),
})
export type Conversation = Static<typeof Conversation>

export const ConversationChange = Type.Closed(
  'ConversationChange',
  { name: Type.Optional(nameField), access: Type.Optional(access), teamIds: Type.Optional(teamIds) },
  { minProperties: 1 },
)
export type ConversationChange = Static<typeof ConversationChange>

export const NewBranch = Type.Closed('BranchInput', {
  runId: idOf('run', {
    description:
      'The last run that the new conversation remembers. It must be an ended run of this conversation.',
  }),
  name: Type.Optional(nameField),
})
export type NewBranch = Static<typeof NewBranch>

export const ConversationFilter = Type.Object({
  agentId: Type.Optional(idOf('agent', { description: 'Only conversations with this agent.' })),
  endUserId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only conversations of this end user.' }),
  ),
})
export type ConversationFilter = Static<typeof ConversationFilter>

export const NewOpening = Type.Closed('OpeningInput', {
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why you open it. Its owner and the audit log show it.',
  }),
})
export type NewOpening = Static<typeof NewOpening>

export const Opening = Type.Closed('ConversationOpening', {
  id: idOf('opening', { description: 'Id of the opening.' }),
  conversationId: idOf('conversation', { description: 'The conversation.' }),
  openedBy: idOf('user', { description: 'Id of the owner or admin of the workspace who opened it.' }),
  reason: Type.String({ description: 'The reason that they gave.' }),
  createdAt: timestamp({ description: 'When it was opened.' }),
  expiresAt: timestamp({ description: 'Until when they may read it: an hour later.' }),
})
export type Opening = Static<typeof Opening>

export const openingExample: Opening = {
  id: exampleId('opening'),
  conversationId: exampleId('conversation'),
  openedBy: exampleId('user'),
  reason: 'A customer complains about an answer.',
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-21T10:30:00.000Z',
}

export const conversationExample: Conversation = {
  id: exampleId('conversation'),
  agentId: exampleId('agent'),
  ownerId: null,
  access: 'workspace',
  teamIds: [],
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
