/** Limits and what is used of them, on the wire. */

import { environments, plans } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const measured = (unit: string) =>
  Type.Object(
    {
      limit: Type.Integer({ description: `What the plan allows, in ${unit}.` }),
      used: Type.Integer({ description: 'What is used of it now.' }),
    },
    { additionalProperties: false },
  )

/** What belongs to collections and agents, and so tells of those that a narrowed key does not reach. */
const measuredInAll = (unit: string) =>
  Type.Object(
    {
      limit: Type.Integer({ description: `What the plan allows, in ${unit}.` }),
      used: nullable(Type.Integer(), {
        description:
          'What the whole workspace uses of it now; null for a key that is narrowed to agents or collections.',
      }),
    },
    { additionalProperties: false },
  )

export const Usage = Type.Object(
  {
    plan: stringEnum(plans),
    environment: stringEnum(environments),
    requestsPerMinute: Type.Object(
      {
        limit: Type.Integer({ description: 'Requests a minute, for the workspace in this environment.' }),
        used: Type.Integer({ description: 'Those of the present window, this one included.' }),
        resetsAt: timestamp({ description: 'When the window ends.' }),
      },
      { additionalProperties: false },
    ),
    storageBytes: measuredInAll('bytes of documents and of the texts of runs in this environment'),
    uploadBytes: Type.Object(
      { limit: Type.Integer({ description: 'The largest file, in bytes.' }) },
      { additionalProperties: false },
    ),
    members: measured('members'),
    runsAtOnce: measuredInAll('runs that are queued or running in this environment'),
    month: Type.Object(
      {
        name: Type.String({ description: 'The present calendar month, in UTC.', examples: ['2026-11'] }),
        resetsAt: timestamp({ description: 'When the next one begins.' }),
        runs: Type.Integer({ description: 'Runs that ended in it.' }),
        unpricedRuns: Type.Integer({ description: 'Those of them whose cost is not known.' }),
        inputTokens: Type.Integer({ description: 'Tokens that their models read.' }),
        outputTokens: Type.Integer({ description: 'Tokens that their models wrote.' }),
        costUsd: Type.Object(
          {
            limit: nullable(Type.Number(), {
              description: "The workspace's `monthlyCostLimitUsd`; null where there is none.",
            }),
            used: Type.Number({ description: 'What they cost, in US dollars.' }),
          },
          { additionalProperties: false },
        ),
      },
      {
        additionalProperties: false,
        description:
          'What runs used in this month, of the agents that the key can reach; for a key that is narrowed to collections, what its own runs used.',
      },
    ),
  },
  { title: 'Usage', additionalProperties: false },
)
export type Usage = Static<typeof Usage>
