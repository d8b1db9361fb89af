/** The workspace on the wire. */
import Type from 'typebox'
import { plans } from '../../platform/caller.ts'
import { idOf, stringEnum, timestamp } from '../../platform/schemas.ts'

export const Workspace = Type.Object(
  {
    id: idOf('workspace'),
    name: Type.String({ description: 'Its name, for people.' }),
    slug: Type.String({
      description: 'Its name in addresses and on the command line; unique on this server.',
    }),
    plan: stringEnum(plans, { description: 'What it may use.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Workspace', additionalProperties: false },
)
export type Workspace = Type.Static<typeof Workspace>
