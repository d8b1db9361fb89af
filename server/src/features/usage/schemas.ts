/** What goes over the wire about what was used: a row for each day or month, and for each of those who used it. */

import { environments, plans } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

export const groupings = ['day', 'key', 'agent', 'collection'] as const
export type Grouping = (typeof groupings)[number]

const intervals = ['day', 'month', 'total'] as const
export type Interval = (typeof intervals)[number]

/** The most days that one question may span. */
export const maxDays = 400

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-21'] })

export const UsageQuestion = Type.Object({
  from: Type.Optional(day('The first day, in UTC; 29 days before the last one unless given.')),
  to: Type.Optional(day(`The last day, in UTC; today unless given. At most ${maxDays} days with the first.`)),
  groupBy: Type.Optional(
    stringEnum(groupings, {
      default: 'day',
      description:
        'Whose use a row tells: all together (`day`), or of each key or person, agent, collection.',
    }),
  ),
  interval: Type.Optional(
    stringEnum(intervals, {
      default: 'day',
      description: 'A row for each day, for each calendar month, or one for the whole time (`total`).',
    }),
  ),
})
export type UsageQuestion = Static<typeof UsageQuestion>

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ofRuns = (what: string) => nullable(count(''), { description: `${what}; null where \`runs\` is.` })

export const UsageRow = Type.Object(
  {
    period: Type.String({
      description:
        'The day, such as `2026-11-21`; the month, such as `2026-11`; or the first and the last day with a slash between.',
      examples: ['2026-11-21'],
    }),
    subject: Type.Unsafe<UsageSubject | null>({
      anyOf: [
        Type.Object(
          {
            type: stringEnum(['key', 'person', 'system', 'agent', 'collection']),
            id: nullable(Type.String(), { description: 'Its id; null of the system.' }),
            name: nullable(Type.String(), {
              description: 'Its name; the last one that it had, where it is not there any more.',
            }),
          },
          { additionalProperties: false },
        ),
        { type: 'null' },
      ],
      description: 'Whose use it is; null where the rows are not grouped by anyone.',
    }),
    requests: nullable(count(''), {
      description: 'Requests that were let in; null by agent and collection, which they do not belong to.',
    }),
    runs: nullable(count(''), {
      description:
        'Runs that ended; by collection, those that were shown passages of its documents, and null for a narrowed key.',
    }),
    unpricedRuns: ofRuns('Those of them whose cost is not known'),
    inputTokens: ofRuns('Tokens that their models read'),
    outputTokens: ofRuns('Tokens that their models wrote'),
    costUsd: nullable(Type.Number({ minimum: 0 }), {
      description: 'What they cost, in US dollars; null where `runs` is.',
    }),
    documents: nullable(count(''), {
      description:
        'Documents at the end of the period; null by key and agent, and where it was not measured.',
    }),
    storageBytes: nullable(count(''), {
      description: 'Bytes of all files that were kept at its end, earlier versions and the trash among them.',
    }),
  },
  { title: 'UsageRow', additionalProperties: false },
)
export type UsageRow = Static<typeof UsageRow>

export type UsageSubject = {
  type: 'key' | 'person' | 'system' | 'agent' | 'collection'
  id: string | null
  name: string | null
}

export const usageRowExample: UsageRow = {
  period: '2026-11-21',
  subject: { type: 'agent', id: exampleId('agent'), name: 'Handbook' },
  requests: null,
  runs: 412,
  unpricedRuns: 0,
  inputTokens: 1_204_311,
  outputTokens: 88_120,
  costUsd: 4.93,
  documents: null,
  storageBytes: null,
}

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
