/** The types of the API, made of its OpenAPI document. */
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** The text of `src/generated.ts`. */
export async function typesOf(openApi: Record<string, unknown>): Promise<string> {
  const head =
    '/** Types of the API, generated from openapi.json by `npm run openapi`; not to be edited. */\n\n'
  const errors = errorsOf(openApi)
  // The document is plain JSON, which its own linter judges; the generator asks for its own type of it.
  const nodes = await openapiTs(withSchemas(openApi, errors.details) as unknown as OpenAPI3, {
    alphabetize: true,
    // Who writes a request need not write what has a default.
    defaultNonNullable: false,
  })
  const codes = errors.codes.map(code => `    | "${code}"`).join('\n')
  return `${head}${astToString(nodes)}\nexport type ErrorCode =\n${codes};\n`
}

/**
 * The codes of errors, and the schemas of their details. The document has both beside the schema of all errors, where
 * other generators pass over them.
 */
function errorsOf(openApi: Record<string, unknown>) {
  const { components } = openApi as { components: { schemas: { Error: ErrorSchema } } }
  const { code, details } = components.schemas.Error.properties
  const named = Object.entries(details['x-details']).map(([word, schema]) => [
    `${pascal(word)}Details`,
    schema,
  ])
  return { codes: code['x-codes'], details: Object.fromEntries(named) as Record<string, unknown> }
}

type ErrorSchema = {
  properties: { code: { 'x-codes': string[] }; details: { 'x-details': Record<string, unknown> } }
}

const pascal = (word: string): string =>
  word.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

function withSchemas(openApi: Record<string, unknown>, more: Record<string, unknown>) {
  const { components } = openApi as { components: { schemas: Record<string, unknown> } }
  return { ...openApi, components: { ...components, schemas: { ...components.schemas, ...more } } }
}
