/** Functions that the caller's program runs: how they are described to the model, and which names are free. */
import type { FieldError } from '../../../platform/errors.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import type { Tool } from '../../../platform/tool.ts'

export const maxFunctions = 128
/** The limit of all functions together, as JSON. The tools of two usual MCP servers have some 90 KB. */
const maxFunctionBytes = 262_144
/** Reading one schema may take half a second of a thread that all workspaces share. */
const longestReadingMs = 5_000

export const AgentFunction = Type.Closed('AgentFunction', {
  name: Type.String({
    // The names that every provider takes.
    pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
    description:
      'Name by which the model calls it. No tool and no other function of the run may have this name.',
    examples: ['look_up_order'],
  }),
  description: Type.Optional(
    Type.String({
      maxLength: 16_000,
      description: 'What the function does and when to call it, for the model.',
    }),
  ),
  inputSchema: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'JSON Schema (draft 2020-12) of its arguments, with `"type": "object"` at the top; `$ref` only within the schema. Your program is sent only arguments that fit.',
  }),
})
export type AgentFunction = Static<typeof AgentFunction>

export const functionExample: AgentFunction = {
  name: 'look_up_order',
  description: 'Finds an order of the shop by its number.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer', minimum: 1 } },
    required: ['number'],
    additionalProperties: false,
  },
}

/** Finds all taken names, and the first fault of each schema. The run already has the functions `present`. */
export async function functionFaults(
  functions: readonly AgentFunction[],
  { tools, schemas }: { tools: readonly Pick<Tool, 'name'>[]; schemas: Pick<StrangersSchemas, 'faultOf'> },
  owner: string,
  present: readonly AgentFunction[] = [],
): Promise<FieldError[]> {
  if (Buffer.byteLength(JSON.stringify(functions)) > maxFunctionBytes) {
    const message = `must together not be larger than ${maxFunctionBytes} bytes of JSON`
    return [{ field: 'functions', message }]
  }
  const names = functions.map(({ name }) => name)
  const faults: FieldError[] = []
  const begun = performance.now()
  for (const [index, { name, inputSchema }] of functions.entries()) {
    const taken = tools.some(tool => tool.name === name)
      ? 'is the name of a tool; choose another one'
      : present.some(one => one.name === name)
        ? 'is the name of a function that the agent has; leave it out here, or choose another name'
        : names.indexOf(name) < index
          ? 'is the name of an earlier function of this list; choose another one'
          : null
    if (taken !== null) faults.push({ field: `functions.${index}.name`, message: taken })
    const isLate = performance.now() - begun > longestReadingMs
    const fault = isLate ? notRead : await schemaFault(inputSchema, schemas, owner)
    if (fault === null) continue
    const field = [`functions.${index}.inputSchema`, fault.field].filter(part => part !== '').join('.')
    faults.push({ field, message: fault.message })
  }
  return faults
}

const notRead: FieldError = { field: '', message: 'was not read: the schemas before it took too long' }

async function schemaFault(
  schema: AgentFunction['inputSchema'],
  schemas: Pick<StrangersSchemas, 'faultOf'>,
  owner: string,
): Promise<FieldError | null> {
  if (schema.type === 'object') return await schemas.faultOf(schema, owner)
  return { field: 'type', message: 'must be "object": a model calls a function with an object of arguments' }
}
