/** The pages as Markdown, and the list of them for programs (llmstxt.org). */
import { chaptersOf, markdownAddress, type Page } from './layout.ts'
import type { Group } from './model/groups.ts'
import {
  codesOf,
  type Endpoint,
  limitsOf,
  nameOf,
  type OpenApi,
  objectsIn,
  resolveSchema,
  type Schema,
  typeName,
} from './model/open-api.ts'
import { callOf } from './samples/call.ts'
import { samplesOf } from './samples/samples.ts'

/** A group's operations with samples in each language, then each schema that they use, once. */
export function groupText(openApi: OpenApi, group: Group): string {
  const names = new Set<string>()
  const operations = group.endpoints.map(endpoint => operationText(openApi, endpoint, group, names))
  const schemas: string[] = []
  // A schema that is described may name further ones, which are then visited too.
  for (const name of names) schemas.push(schemaText(openApi, name, names))
  const guides = group.guides.map(name => `[${name}](/docs/guides/${name}.md)`)
  return lines([
    `# ${group.title}`,
    group.description,
    guides.length > 0 && `Guides: ${guides.join(', ')}`,
    ...operations,
    schemas.length > 0 && '# Schemas',
    ...schemas,
  ])
}

export function startText(openApi: OpenApi, pages: readonly Page[]): string {
  const { title, version, description = '' } = openApi.info
  return lines([
    `# ${title} ${version}`,
    description,
    `Base address: \`${openApi.servers[0]?.url}\` of this server. The whole API for programs: [openapi.json](${openApi.servers[0]?.url}/openapi.json).`,
    ...chapterLists(pages),
  ])
}

/** As llmstxt.org describes it: a heading, a summary, then lists of links. */
export function llmsText(openApi: OpenApi, pages: readonly Page[]): string {
  const [summary = ''] = (openApi.info.description ?? '').split('\n')
  return lines([`# ${openApi.info.title}`, `> ${summary}`, ...chapterLists(pages)])
}

const chapterLists = (pages: readonly Page[]): string[] =>
  chaptersOf(pages).map(([chapter, listed]) => {
    const items = listed.map(
      page => `- [${page.title}](${markdownAddress(page)})${page.note === '' ? '' : `: ${page.note}`}`,
    )
    return `## ${chapter}\n\n${items.join('\n')}`
  })

function operationText(openApi: OpenApi, endpoint: Endpoint, group: Group, names: Set<string>): string {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = endpoint
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `Body \`${type}\`: ${shapeOf(openApi, schema, names)}`,
  )
  const replies = responses.map(([status, response]) => {
    const codes = codesOf(response)
    if (codes.length > 0) return `- ${status}: ${codes.map(code => `\`${code}\``).join(', ')}`
    const shapes = Object.values(response.content ?? {}).map(({ schema }) => shapeOf(openApi, schema, names))
    return `- ${status}: ${[response.description, ...shapes].join(' ')}`
  })
  const samples = group.tag === null ? [] : samplesOf(callOf(openApi, endpoint))
  return lines([
    `## ${summary}`,
    `\`${method} ${path}\` (\`${operationId}\`)`,
    description,
    parameters.length > 0 &&
      `Parameters:\n\n${parameters
        .map(({ name, in: place, required = false, description: text = '', schema }) =>
          fieldLine(openApi, { name, schema, required, text }, `${place}, `),
        )
        .join('\n')}`,
    ...bodies,
    `Replies:\n\n${replies.join('\n')}`,
    ...samples.map(({ fence, text }) => `\`\`\`${fence}\n${text}\n\`\`\``),
  ])
}

/** Names the components that a body or field holds, and notes them; the type where it holds none. */
function shapeOf(openApi: OpenApi, schema: Schema, names: Set<string>): string {
  const objects = objectsIn(openApi, schema).flatMap(({ name }) => name ?? [])
  for (const name of objects) names.add(name)
  return objects.length === 0 ? typeName(openApi, schema) : objects.map(name => `\`${name}\``).join(' or ')
}

function schemaText(openApi: OpenApi, name: string, names: Set<string>): string {
  const fields = fieldLines(openApi, openApi.components.schemas[name] ?? {}, names, '')
  return `## ${name}\n\n${fields.join('\n')}`
}

function fieldLines(openApi: OpenApi, schema: Schema, names: Set<string>, indent: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const objects = objectsIn(openApi, field)
    const shape = nameOf(field) !== undefined || objects.some(object => object.name !== undefined)
    const type = shape ? `${shapeOf(openApi, field, names)}; ` : ''
    const text = resolveSchema(openApi, field).description ?? ''
    const required = schema.required?.includes(name) ?? false
    const line = indent + fieldLine(openApi, { name, schema: field, required, text }, type)
    const inner = objects.filter(object => object.name === undefined)
    return [line, ...inner.flatMap(object => fieldLines(openApi, object.schema, names, `${indent}  `))]
  })
}

function fieldLine(
  openApi: OpenApi,
  { name, schema, required, text }: { name: string; schema: Schema; required: boolean; text: string },
  before: string,
): string {
  const { words, limits } = limitsOf(resolveSchema(openApi, schema))
  const shownWords = words.length === 0 ? [] : [`one of ${words.map(word => JSON.stringify(word)).join(' ')}`]
  const facts = [
    `${before}${typeName(openApi, schema)}`,
    ...(required ? ['required'] : []),
    ...shownWords,
    ...limits,
  ]
  return `- \`${name}\` (${facts.join(', ')}): ${text.replaceAll(/\s+/g, ' ')}`.trimEnd()
}

const lines = (parts: readonly (string | false)[]): string =>
  `${parts.filter(part => part !== false && part !== '').join('\n\n')}\n`
