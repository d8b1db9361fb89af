/** Limits and what is used of them, on the wire. */
import Type from 'typebox'
import { environments, plans } from '../../platform/caller.ts'
import { stringEnum, timestamp } from '../../platform/schemas.ts'

const measured = (unit: string) =>
  Type.Object(
    {
      limit: Type.Integer({ description: `What the plan allows, in ${unit}.` }),
      used: Type.Integer({ description: 'What is used of it now.' }),
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
    storageBytes: measured('bytes of documents in this environment'),
    uploadBytes: Type.Object(
      { limit: Type.Integer({ description: 'The largest file, in bytes.' }) },
      { additionalProperties: false },
    ),
    members: measured('members'),
    runsAtOnce: measured('runs that are queued or running in this environment'),
  },
  { title: 'Usage', additionalProperties: false },
)
export type Usage = Type.Static<typeof Usage>
