/** What schedules and triggers share on the wire. */
import { Type } from '../../../platform/json-schema/type.ts'
import { idOf, metadata, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { stopReasons } from '../../events/data-schemas.ts'

export const nameField = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name, for people.',
  examples: ['Morning report'],
})

export const metadataField = metadata({ description: 'Your own data, which each of its runs gets.' })

export const statusField = stringEnum(['active', 'paused'], {
  description: 'Whether it starts runs. `active` also begins again what the server has stopped.',
})

export const shownStatus = {
  status: stringEnum(['active', 'paused', 'stopped'], {
    description: 'Whether it starts runs. `stopped`: the server ended it, see `stoppedReason`.',
  }),
  stoppedReason: nullable(stringEnum(stopReasons), {
    description:
      'Why the server stopped it. `access_ended`: the key or member that it acts for is gone. `permission_missing`: they lost a permission that the run needs. `agent_unreachable`: the agent is out of their reach. Null unless it is stopped.',
  }),
  actsForUserId: nullable(idOf('user'), {
    description:
      'Member on whose behalf it starts runs: who created it, or changed it last. A pause changes nothing here. Where that was done with a key, the runs can do no more than the key can.',
  }),
}

export const lastRunFields = {
  lastRunId: nullable(idOf('run'), { description: 'Run that it started last; null before the first one.' }),
  lastRunAt: nullable(timestamp(), { description: 'When it started that run.' }),
  lastError: nullable(
    Type.Closed({
      code: Type.String({ description: 'Error code.', examples: ['budget_exceeded'] }),
      message: Type.String({ description: 'What was wrong.' }),
      at: timestamp({ description: 'When this happened.' }),
    }),
    { description: 'Why the last run could not start; null if it did.' },
  ),
}
