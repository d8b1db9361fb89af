/** The types of the API, made of its OpenAPI document. */
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** The text of `src/generated.ts`. */
export async function typesOf(openApi: Record<string, unknown>): Promise<string> {
  const head =
    '/** Types of the API, generated from openapi.json by `npm run openapi`; not to be edited. */\n\n'
  // The document is plain JSON, which its own linter judges; the generator asks for its own type of it.
  const nodes = await openapiTs(openApi as unknown as OpenAPI3, {
    alphabetize: true,
    // Who writes a request need not write what has a default.
    defaultNonNullable: false,
  })
  return head + astToString(nodes)
}
