/** The workspace on the wire. */
import Type from 'typebox'
import { plans } from '../../platform/caller.ts'
import { idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const monthlyCostLimitUsd = nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000 }), {
  description:
    'What the runs of an environment may cost in a calendar month (UTC), in US dollars; null for no limit. 0 allows only what costs nothing to begin.',
})

export const WorkspaceChange = Type.Object(
  { monthlyCostLimitUsd: Type.Optional(monthlyCostLimitUsd) },
  { title: 'WorkspaceChange', additionalProperties: false, minProperties: 1 },
)
export type WorkspaceChange = Type.Static<typeof WorkspaceChange>

export const Workspace = Type.Object(
  {
    id: idOf('workspace'),
    name: Type.String({ description: 'Its name, for people.' }),
    slug: Type.String({
      description: 'Its name in addresses and on the command line; unique on this server.',
    }),
    plan: stringEnum(plans, { description: 'What it may use.' }),
    monthlyCostLimitUsd,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Workspace', additionalProperties: false },
)
export type Workspace = Type.Static<typeof Workspace>
