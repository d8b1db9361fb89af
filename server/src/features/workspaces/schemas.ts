/** The workspace on the wire. */

import { plans } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const monthlyCostLimitUsd = nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000 }), {
  description:
    'Budget for the runs of an environment in a calendar month (UTC), in US dollars; null for no limit. 0 allows only runs on models that cost nothing.',
})

export const workspaceName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name for people. Changing it does not change the slug.',
})

export const WorkspaceChange = Type.Closed(
  'WorkspaceChange',
  {
    name: Type.Optional(workspaceName),
    monthlyCostLimitUsd: Type.Optional(monthlyCostLimitUsd),
  },
  { minProperties: 1 },
)
export type WorkspaceChange = Static<typeof WorkspaceChange>

export const WorkspaceDeletion = Type.Closed('WorkspaceDeletion', {
  confirm: Type.Optional(
    Type.String({
      maxLength: 63,
      description: 'The slug of the workspace; required without `dryRun=true`.',
    }),
  ),
})
export type WorkspaceDeletion = Static<typeof WorkspaceDeletion>

export const Workspace = Type.Closed('Workspace', {
  id: idOf('workspace'),
  name: Type.String({ description: 'Its name, for people.' }),
  slug: Type.String({
    description: 'Name in URLs and on the command line; unique on this server.',
  }),
  plan: stringEnum(plans, { description: 'The plan, which sets its limits.' }),
  monthlyCostLimitUsd,
  deletesAt: nullable(timestamp(), {
    description: 'When it will be erased; null unless an owner has deleted it.',
  }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Workspace = Static<typeof Workspace>
