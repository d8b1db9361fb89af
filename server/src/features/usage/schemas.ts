/** The wire format of usage: a row per day or month, and per key, person, agent or collection. */

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
  from: Type.Optional(day('First day, in UTC; by default 29 days before the last one.')),
  to: Type.Optional(day(`Last day, in UTC; today by default. At most ${maxDays} days in total.`)),
  groupBy: Type.Optional(
    stringEnum(groupings, {
      default: 'day',
      description: 'Grouping of the rows: none (`day`), or by key or person, agent, or collection.',
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

export const UsageRow = Type.Closed('UsageRow', {
  period: Type.String({
    description:
      'A day such as `2026-11-21`, a month such as `2026-11`, or the first and last day separated by a slash.',
    examples: ['2026-11-21'],
  }),
  subject: Type.Unsafe<UsageSubject | null>({
    anyOf: [
      Type.Closed({
        type: stringEnum(['key', 'person', 'system', 'agent', 'collection']),
        id: nullable(Type.String(), { description: 'Its id; null for the system.' }),
        name: nullable(Type.String(), {
          description: 'Its name; the last known name if it has been deleted.',
        }),
      }),
      { type: 'null' },
    ],
    description: 'Whose usage it is; null if the rows are not grouped.',
  }),
  requests: nullable(count(''), {
    description: 'Accepted requests; null by agent and collection, because requests do not belong to these.',
  }),
  runs: nullable(count(''), {
    description:
      'Ended runs. By collection: runs that read passages of its documents, and null for a narrowed key.',
  }),
  unpricedRuns: ofRuns('Runs whose cost is unknown'),
  inputTokens: ofRuns('Input tokens'),
  outputTokens: ofRuns('Output tokens'),
  costUsd: nullable(Type.Number({ minimum: 0 }), {
    description: 'Cost in US dollars; null if `runs` is.',
  }),
  documents: nullable(count(''), {
    description: 'Documents at the end of the period; null by key and agent, and if not measured.',
  }),
  storageBytes: nullable(count(''), {
    description:
      'Bytes of all files stored at the end of the period, including earlier versions and the trash.',
  }),
})
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
  Type.Closed({
    limit: Type.Integer({ description: `Limit of the plan, in ${unit}.` }),
    used: Type.Integer({ description: 'Current usage.' }),
  })

/** A figure of all collections or agents. It would tell a narrowed key about those that it does not reach. */
const measuredInAll = (unit: string) =>
  Type.Closed({
    limit: Type.Integer({ description: `Limit of the plan, in ${unit}.` }),
    used: nullable(Type.Integer(), {
      description: 'Current usage by the whole workspace; null for a key narrowed to agents or collections.',
    }),
  })

export const Usage = Type.Closed('Usage', {
  plan: stringEnum(plans),
  environment: stringEnum(environments, { description: 'Environment that it belongs to.' }),
  requestsPerMinute: Type.Closed({
    limit: Type.Integer({ description: 'Requests per minute for the workspace in this environment.' }),
    used: Type.Integer({ description: 'Requests in the current window, including this one.' }),
    resetsAt: timestamp({ description: 'When the window ends.' }),
  }),
  storageBytes: measuredInAll('bytes of documents and of the texts of runs in this environment'),
  uploadBytes: Type.Closed({ limit: Type.Integer({ description: 'The largest file, in bytes.' }) }),
  members: measured('members'),
  runsAtOnce: measuredInAll('runs that are queued or running in this environment'),
  month: Type.Closed(
    {
      name: Type.String({ description: 'The current calendar month, in UTC.', examples: ['2026-11'] }),
      resetsAt: timestamp({ description: 'When the next one begins.' }),
      runs: Type.Integer({ description: 'Runs that ended in it.' }),
      unpricedRuns: Type.Integer({ description: 'Runs whose cost is unknown.' }),
      inputTokens: Type.Integer({ description: 'Input tokens.' }),
      outputTokens: Type.Integer({ description: 'Output tokens.' }),
      costUsd: Type.Closed({
        limit: nullable(Type.Number(), {
          description: "The workspace's `monthlyCostLimitUsd`; null if there is none.",
        }),
        used: Type.Number({ description: 'Cost in US dollars.' }),
      }),
    },
    {
      description:
        'Usage by runs in this month, of the agents that the key can access. For a key narrowed to collections, usage by its own runs.',
    },
  ),
})
export type Usage = Static<typeof Usage>
