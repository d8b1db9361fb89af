/** What a run is given besides its prompt, on the wire. */
import { Type } from '../../../platform/json-schema/type.ts'
import { idOf } from '../../../platform/schemas.ts'

export const inputFields = {
  responseSchema: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        'A JSON Schema (draft 2020-12) that the answer has to fit; it is then in `structuredOutput`. At most 64 KB; `$ref` only within the schema.',
    }),
  ),
  attachments: Type.Optional(
    Type.Array(idOf('document'), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Documents to read with the prompt: texts as passages that can be cited, images for models that see.',
    }),
  ),
  variables: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      additionalProperties: { type: 'string', maxLength: 10_000 },
      description: "Values of the variables of the agent's instructions, by name.",
      examples: [{ customer_name: 'Ada' }],
    }),
  ),
}

/** As the run's record shows them. */
export const shownInputFields = {
  structuredOutput: Type.Unknown({
    description: 'The answer as a value that fits `responseSchema`; null where none was given.',
  }),
  responseSchema: Type.Unknown({ description: 'The JSON Schema that was given; null where none was.' }),
  attachments: Type.Array(idOf('document'), { description: 'As given with the prompt.' }),
  variables: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'As given with the prompt.',
  }),
}
