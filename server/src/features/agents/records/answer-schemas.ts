/** The wire format of answers to a run: results of calls, decisions about calls, and feedback. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { toolCallId } from '../../events/data-schemas.ts'

/** A longer result would have to be cut for the model. */
export const maxResultCharacters = 60_000

export const ToolResults = Type.Closed('ToolResults', {
  results: Type.Array(
    Type.Closed('ToolResult', {
      toolCallId,
      output: Type.Optional(
        Type.Unknown({
          description: `What the function returned: any JSON of at most ${maxResultCharacters.toLocaleString('en')} characters, null included. Send either this or \`error\`.`,
          examples: [{ status: 'shipped' }],
        }),
      ),
      error: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description:
            'Why the function returned nothing. The model reads it as the result of the call, and the run continues.',
        }),
      ),
    }),
    { minItems: 1, maxItems: 50, description: 'Results of some or all of the waiting calls.' },
  ),
})
export type ToolResults = Static<typeof ToolResults>

export const Decisions = Type.Closed('Decisions', {
  decisions: Type.Array(
    Type.Closed({
      toolCallId,
      decision: stringEnum(['approve', 'reject'], {
        description: 'A rejected call is not executed, and the model learns that it was rejected.',
      }),
      reason: Type.Optional(
        Type.String({
          maxLength: 2_000,
          description: 'Reason, stored with the step. For a rejected call the model reads it too.',
        }),
      ),
    }),
    { minItems: 1, maxItems: 50, description: 'Decisions on some or all of the waiting calls.' },
  ),
})
export type Decisions = Static<typeof Decisions>

export const ratings = ['positive', 'negative'] as const
export type Rating = (typeof ratings)[number]

const rating = stringEnum(ratings, { description: 'Rating of the answer.' })

export const NewFeedback = Type.Closed('FeedbackInput', {
  rating,
  comment: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', description: 'Comment on the answer.' }),
  ),
  endUserId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Your id of the end user who gives the feedback; may differ from the run's end user.",
    }),
  ),
})
export type NewFeedback = Static<typeof NewFeedback>

export const Feedback = Type.Closed('Feedback', {
  rating,
  comment: nullable(Type.String(), { description: 'Comment on the answer; null if none was given.' }),
  endUserId: nullable(Type.String(), {
    description: 'Your id of the end user who gave it; null if none was given.',
  }),
  createdAt: timestamp({ description: 'When the feedback was given.' }),
})
export type Feedback = Static<typeof Feedback>

export const feedbackExample: Feedback = {
  rating: 'negative',
  comment: 'It is 28 days since January.',
  endUserId: 'ada',
  createdAt: '2026-11-21T09:31:00.000Z',
}
