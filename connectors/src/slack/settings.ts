/** The settings: which Slack channels are kept in sync, and how far back. */
import type { ObjectSchema } from '../connector.ts'

export type Settings = {
  channels?: string[]
  privateChannels?: boolean
  archivedChannels?: boolean
  historyDays?: number
  lookBackDays?: number
}

/** The states of so many channels fit into the text that is kept between two pages. */
export const maxChannels = 80
export const usualHistoryDays = 365
export const usualLookBackDays = 7

export const configSchema: ObjectSchema = {
  type: 'object',
  properties: {
    channels: {
      type: 'array',
      items: { type: 'string', pattern: '^#?[^\\s#,/]{1,80}$' },
      minItems: 1,
      maxItems: maxChannels,
      description: `Names or ids, such as \`general\` or \`C012AB3CD\`; unless given, all that the account is a member of, which must be no more than ${maxChannels}. Tools reach no others either.`,
    },
    privateChannels: {
      type: 'boolean',
      description: 'Also private channels; false unless given. Direct messages are never read.',
    },
    archivedChannels: {
      type: 'boolean',
      description: 'Also archived channels; unless given, the documents of a channel go when it is archived.',
    },
    historyDays: {
      type: 'integer',
      minimum: 1,
      maximum: 3_650,
      description: `How far back messages are kept; ${usualHistoryDays} unless given. Older ones go.`,
    },
    lookBackDays: {
      type: 'integer',
      minimum: 1,
      maximum: 90,
      description: `How old messages are whose changes and deletions are looked for at every sync; ${usualLookBackDays} unless given. Those of older ones are found once a day.`,
    },
  },
  additionalProperties: false,
}
