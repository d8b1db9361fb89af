/** JSON Schemas as lists of fields: name, type, limits, description. A field's own fields are loaded on demand. */
import { type Html, html } from '../../platform/text/html.ts'
import {
  type Endpoint,
  limitsOf,
  nameOf,
  type OpenApi,
  objectsIn,
  type Parameter,
  resolveSchema,
  type Schema,
  typeName,
} from './model/open-api.ts'

export type FieldContext = { openApi: OpenApi; describe: (text: string) => Html }

/** The fields of a body or reply, without those of its fields. */
export function fieldsOf(context: FieldContext, schema: Schema): Html | null {
  const objects = objectsIn(context.openApi, schema)
  const [only] = objects
  if (only === undefined) return null
  return objects.length === 1
    ? fieldList(context, only.schema)
    : html`${objects.map(one => folded(context, one))}`
}

/** What `/docs/schemas/NAME` answers: the fields of a component, and at once those of a reply's `data`. */
export function schemaFragment(context: FieldContext, name: string): Html | null {
  const schema = context.openApi.components.schemas[name]
  return schema === undefined ? null : fieldsOf(context, schema)
}

export function parameterList(context: FieldContext, { parameters }: Endpoint, place: Parameter['in']) {
  const list = parameters.filter(parameter => parameter.in === place)
  if (list.length === 0) return null
  return html`<ul class="fields">${list.map(({ name, schema, required = false, description }) =>
    fieldView(context, name, description === undefined ? schema : { ...schema, description }, required),
  )}</ul>`
}

function fieldList(context: FieldContext, { properties = {}, required = [] }: Schema): Html {
  return html`<ul class="fields">${Object.entries(properties).map(([name, field]) =>
    fieldView(context, name, field, required.includes(name)),
  )}</ul>`
}

function fieldView(context: FieldContext, name: string, field: Schema, required: boolean): Html {
  const schema = resolveSchema(context.openApi, field)
  return html`<li><div><code class="name">${name}</code> <span class="type">${typeName(context.openApi, field)}</span>
    ${required && html`<span class="required">required</span>`}</div>
    ${schema.description !== undefined && html`<div class="text">${context.describe(schema.description)}</div>`}
    ${limitsView(schema)}
    ${objectsIn(context.openApi, field).map(object => (name === 'data' ? unfolded(context, object) : folded(context, object)))}
  </li>`
}

/** A component is loaded when it is unfolded, so a schema that contains itself has an end. */
function folded(context: FieldContext, { name, schema }: ReturnType<typeof objectsIn>[number]): Html {
  if (name === undefined)
    return html`<details><summary>Fields</summary>${fieldList(context, schema)}</details>`
  return html`<details data-schema="${name}"><summary>Fields of ${name}</summary></details>`
}

/** The `data` of a reply is what a reader unfolds the reply for. */
const unfolded = (context: FieldContext, { name, schema }: ReturnType<typeof objectsIn>[number]): Html =>
  html`<details open><summary>Fields${name !== undefined && ` of ${name}`}</summary>${fieldList(context, schema)}</details>`

function limitsView(schema: Schema): Html | null {
  const { words, limits } = limitsOf(schema)
  if (words.length === 0 && limits.length === 0) return null
  const shown = words.map(value => html`<code>${JSON.stringify(value)}</code> `)
  return html`<div class="limits">${words.length > 0 && html`One of ${shown}`}${limits.join(', ')}</div>`
}

/** A reply's fields, folded: of a component they are loaded on demand. */
export function bodyFields(
  context: FieldContext,
  schema: Schema,
): { name: string | undefined; fields: Html | null } {
  const name = nameOf(schema)
  return name !== undefined && objectsIn(context.openApi, schema).length > 0
    ? { name, fields: null }
    : { name: undefined, fields: fieldsOf(context, schema) }
}
