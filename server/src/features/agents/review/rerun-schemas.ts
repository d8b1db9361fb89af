/** What goes over the wire to run a run again. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'

export const revisionWords = ['published', 'same', 'latest'] as const

export const Rerun = Type.Object(
  {
    revision: Type.Optional(
      Type.Unsafe<number | (typeof revisionWords)[number]>({
        type: ['integer', 'string'],
        anyOf: [{ type: 'integer', minimum: 1 }, { enum: [...revisionWords] }],
        description:
          "Which revision of the agent answers: a number, `published` (unless given), `same` (the run's own) or `latest` (a draft too). For one that is not published the key needs `agents:write` too.",
        examples: ['same'],
      }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "A model to answer instead of the revision's, with no other to fall back to. The key needs `agents:write` too.",
      }),
    ),
  },
  { title: 'Rerun', additionalProperties: false },
)
export type Rerun = Static<typeof Rerun>
