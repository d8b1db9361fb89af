/** What goes over the wire about what was used: a row for each day or month, and for each of those who used it. */
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, nullable, stringEnum } from '../../platform/schemas.ts'

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
      description: 'Documents at the end of the period; null by key and agent, and where nobody looked.',
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
