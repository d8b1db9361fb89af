/** What goes over the wire about feedback on a run. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const ratings = ['positive', 'negative'] as const
export type Rating = (typeof ratings)[number]

const rating = stringEnum(ratings, { description: 'Whether the answer was good.' })

export const NewFeedback = Type.Object(
  {
    rating,
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', description: 'Why, in words.' }),
    ),
    endUserId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Who, among your own users, says so; need not be the one of the run.',
      }),
    ),
  },
  { title: 'NewFeedback', additionalProperties: false },
)
export type NewFeedback = Static<typeof NewFeedback>

export const Feedback = Type.Object(
  {
    rating,
    comment: nullable(Type.String(), { description: 'As given.' }),
    endUserId: nullable(Type.String(), { description: 'As given.' }),
    createdAt: timestamp({ description: 'When it was given.' }),
  },
  { title: 'Feedback', additionalProperties: false },
)
export type Feedback = Static<typeof Feedback>

export const feedbackExample: Feedback = {
  rating: 'negative',
  comment: 'It is 28 days since January.',
  endUserId: 'ada',
  createdAt: '2026-11-21T09:31:00.000Z',
}
