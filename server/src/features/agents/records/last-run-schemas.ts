/** The last run of an agent, on the wire: as much as a list of agents shows of it. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { runStatuses } from './run-schemas.ts'

export const LastRun = Type.Object(
  {
    agentId: idOf('agent', { description: 'The agent.' }),
    run: nullable(
      Type.Object(
        {
          id: idOf('run', { description: 'Id of its newest run.' }),
          status: stringEnum(runStatuses),
          createdAt: timestamp(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'LastRun', additionalProperties: false },
)
export type LastRun = Static<typeof LastRun>

export const lastRunExample: LastRun = {
  agentId: exampleId('agent'),
  run: { id: exampleId('run'), status: 'succeeded', createdAt: '2026-11-21T09:30:00.000Z' },
}
