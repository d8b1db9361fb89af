/** What goes over the wire about calls of tools that wait for an approval. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { idOf, stringEnum, timestamp } from '../../../platform/schemas.ts'

const toolCallId = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The call, as `pendingApprovals` of the run names it.',
  examples: ['call_1'],
})

export const PendingApproval = Type.Object(
  {
    runId: idOf('run', {
      description: 'The run whose call it is, to which the decision is sent: this one, or one within it.',
    }),
    toolCallId,
    name: Type.String({ description: 'Name of the tool.' }),
    input: Type.Unknown({ description: 'The arguments with which it is to be called.' }),
    requestedAt: timestamp({ description: 'Since when it waits.' }),
    expiresAt: timestamp({ description: 'When the run fails with `approval_expired` unless it is decided.' }),
  },
  { title: 'PendingApproval', additionalProperties: false },
)
export type PendingApproval = Static<typeof PendingApproval>

export const Decisions = Type.Object(
  {
    decisions: Type.Array(
      Type.Object(
        {
          toolCallId,
          decision: stringEnum(['approve', 'reject'], {
            description: 'A call that is rejected is not carried out, and the model is told so.',
          }),
          reason: Type.Optional(
            Type.String({
              maxLength: 2_000,
              description: 'Why; kept with the step, and told to the model where the call is rejected.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 50, description: 'Some or all of the calls that wait.' },
    ),
  },
  { title: 'Decisions', additionalProperties: false },
)
export type Decisions = Static<typeof Decisions>
