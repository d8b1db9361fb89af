/** A JSON Schema as nested lists of fields: name, type, limits, description. */
import { type Html, html } from '../../platform/text/html.ts'
import { markdown } from './markdown.ts'
import { type OpenApi, resolveSchema, type Schema } from './open-api.ts'

/** Deeper than this an object is named, not unfolded; a schema that contains itself ends here too. */
const maxDepth = 5

export function schemaView(openApi: OpenApi, schema: Schema, depth = 0): Html | null {
  const resolved = elementOf(openApi, schema)
  const required = new Set(resolved.required ?? [])
  const fields = Object.entries(resolved.properties ?? {})
  if (fields.length === 0 || depth > maxDepth) return null
  return html`<ul class="fields">${fields.map(([name, field]) =>
    fieldView(openApi, { name, schema: field, required: required.has(name) }, depth),
  )}</ul>`
}

export function fieldView(
  openApi: OpenApi,
  field: { name: string; schema: Schema; required: boolean; description?: string },
  depth = 0,
): Html {
  const schema = resolveSchema(openApi, field.schema)
  const description = field.description ?? schema.description
  const children = schemaView(openApi, schema, depth + 1)
  return html`<li>
    <div class="field"><code class="name">${field.name}</code> <span class="type">${typeName(openApi, schema)}</span>
    ${field.required && html`<span class="required">required</span>`}</div>
    ${description !== undefined && html`<div class="text">${markdown(description)}</div>`}
    ${limitsOf(schema)}
    ${children !== null && html`<details><summary>Fields</summary>${children}</details>`}
  </li>`
}

/** The object that a field holds, be it one, a list of them, or one of several that may also be null. */
function elementOf(openApi: OpenApi, schema: Schema): Schema {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.items !== undefined) return elementOf(openApi, resolved.items)
  const objects = alternativesOf(resolved).filter(alternative => alternative.type !== 'null')
  return objects.length === 1 && objects[0] !== undefined ? elementOf(openApi, objects[0]) : resolved
}

const alternativesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? []

function typeName(openApi: OpenApi, schema: Schema): string {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.const !== undefined) return JSON.stringify(resolved.const)
  const alternatives = alternativesOf(resolved)
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map(alternative => typeName(openApi, alternative)))].join(' or ')
  }
  const types = [resolved.type ?? 'any'].flat().map(type => {
    if (type === 'array') return `list of ${typeName(openApi, resolved.items ?? {})}`
    return type === 'string' && resolved.format !== undefined ? `string (${resolved.format})` : type
  })
  return types.join(' or ')
}

const limitTexts: Record<string, (value: unknown) => string> = {
  minLength: value => `length from ${value}`,
  maxLength: value => `length up to ${value}`,
  minimum: value => `from ${value}`,
  maximum: value => `up to ${value}`,
  minItems: value => `items from ${value}`,
  maxItems: value => `items up to ${value}`,
  default: value => `default ${JSON.stringify(value)}`,
}

function limitsOf(schema: Schema): Html | null {
  const words = (schema.enum ?? schema.items?.enum)?.map(
    value => html`<code>${JSON.stringify(value)}</code> `,
  )
  const limits = Object.entries(limitTexts).flatMap(([keyword, text]) =>
    schema[keyword] === undefined ? [] : [text(schema[keyword])],
  )
  if (words === undefined && limits.length === 0) return null
  return html`<div class="limits">${words !== undefined && html`One of ${words}`}${limits.join(', ')}</div>`
}
