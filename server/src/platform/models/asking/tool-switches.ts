/** One tool that a server refuses loses its own schema, or itself, and not the request. */
import { type Attempt, type Body, without } from './switches.ts'

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The places of a tool's name and schema in the four protocols. */
type Offered = { name: string; holder: Body; schemaKey: string }

function offeredIn(tool: unknown): Offered[] {
  if (!isBody(tool)) return []
  if (Array.isArray(tool.functionDeclarations)) {
    return tool.functionDeclarations.filter(isBody).map(holder => ofHolder(holder, 'parameters'))
  }
  if (isBody(tool.function)) return [ofHolder(tool.function, 'parameters')]
  return typeof tool.name === 'string'
    ? [ofHolder(tool, 'input_schema' in tool ? 'input_schema' : 'parameters')]
    : []
}

const ofHolder = (holder: Body, schemaKey: string): Offered => ({
  name: String(holder.name),
  holder,
  schemaKey,
})

/** The body with each tool changed; a tool for which `change` returns null is left out. */
function eachTool(body: Body, change: (offered: Offered) => Body | null): Body {
  const tools = (Array.isArray(body.tools) ? body.tools : []).flatMap(tool => {
    if (!isBody(tool)) return [tool]
    if (Array.isArray(tool.functionDeclarations)) {
      const kept = tool.functionDeclarations
        .filter(isBody)
        .flatMap(one => change(ofHolder(one, 'parameters')) ?? [])
      return kept.length === 0 ? [] : [{ ...tool, functionDeclarations: kept }]
    }
    const [offered] = offeredIn(tool)
    const changed = offered === undefined ? tool : change(offered)
    if (changed === null) return []
    return [isBody(tool.function) ? { ...tool, function: changed } : changed]
  })
  return tools.length === 0 ? without(body, 'tools', 'tool_choice') : { ...body, tools }
}

const aboutSchemas = /schema|function|tool|parameters|declaration|properties|\$defs|definitions/i

/** The tool that the words name, or the keyword of a schema that they name. */
export function refusedTool(text: string, body: Body, tried: ReadonlySet<string>): Attempt | null {
  if (!Array.isArray(body.tools) || !aboutSchemas.test(text)) return null
  return keywordIn(text, body, tried) ?? toolIn(text, body, tried)
}

/** The beginning of the names under which changes of single tools are tried. They are not remembered. */
export const ofTool = 'tool '

function toolIn(text: string, body: Body, tried: ReadonlySet<string>): Attempt | null {
  const all = (body.tools as unknown[]).flatMap(offeredIn)
  const at =
    /(?:tools|function_?declarations|functionDeclarations)[.[](\d{1,4})\]?(?![\s\S]*(?:function_?declarations|functionDeclarations)[.[]\d)/i.exec(
      text,
    )?.[1]
  const tool =
    all.find(({ name }) => name.length > 2 && new RegExp(`['"\`]${escaped(name)}['"\`]`).test(text)) ??
    (at === undefined ? undefined : all[Number(at)])
  if (tool === undefined || !/schema|parameters|properties|pattern|invalid|declaration|\bname\b/i.test(text))
    return null
  const field = `${ofTool}${tool.name}`
  const instead = ['without its schema', 'none'].find(choice => !tried.has(`${field} ${choice}`))
  if (instead === undefined) return null
  const change = ({ name, holder, schemaKey }: Offered): Body | null => {
    if (name !== tool.name) return holder
    return instead === 'none' ? null : { ...holder, [schemaKey]: { type: 'object', properties: {} } }
  }
  return { field, instead, isNamed: true, apply: given => eachTool(given, change) }
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, sign => `\\${sign}`)

/** Keywords that every server knows. */
const usual = ['type', 'properties', 'required', 'items', 'description']

function keywordIn(text: string, body: Body, tried: ReadonlySet<string>): Attempt | null {
  const found = new Set<string>()
  for (const { holder, schemaKey } of (body.tools as unknown[]).flatMap(offeredIn))
    keywordsOf(holder[schemaKey], found)
  const quoted = (keyword: string) =>
    new RegExp(
      `['"\`./]${escaped(keyword)}['"\`:]|\\b${escaped(keyword)} (keyword|is not|are not)|(keyword|unknown name|unsupported):? ['"\`]?${escaped(keyword)}\\b`,
      'i',
    ).test(text)
  const keyword = [...found].find(
    one => !usual.includes(one) && quoted(one) && !tried.has(`keyword ${one} none`),
  )
  if (keyword === undefined) return null
  const change = ({ holder, schemaKey }: Offered): Body => ({
    ...holder,
    [schemaKey]: withoutKeyword(holder[schemaKey], keyword),
  })
  return {
    field: `keyword ${keyword}`,
    instead: 'none',
    isNamed: true,
    apply: given => eachTool(given, change),
  }
}

/** Keywords whose value is an object of names, not of keywords. */
const named = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const mostDepth = 30

function keywordsOf(schema: unknown, found: Set<string>, depth = 0): void {
  if (depth > mostDepth || typeof schema !== 'object' || schema === null) return
  if (Array.isArray(schema)) {
    for (const one of schema) keywordsOf(one, found, depth + 1)
    return
  }
  for (const [key, value] of Object.entries(schema)) {
    found.add(key)
    if (named.includes(key) && isBody(value))
      for (const one of Object.values(value)) keywordsOf(one, found, depth + 1)
    else if (!['enum', 'const', 'default', 'examples'].includes(key)) keywordsOf(value, found, depth + 1)
  }
}

function withoutKeyword(schema: unknown, keyword: string, depth = 0): unknown {
  if (depth > mostDepth || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(one => withoutKeyword(one, keyword, depth + 1))
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === keyword) return []
      if (named.includes(key) && isBody(value)) {
        return [
          [
            key,
            Object.fromEntries(
              Object.entries(value).map(([name, one]) => [name, withoutKeyword(one, keyword, depth + 1)]),
            ),
          ],
        ]
      }
      return [
        [
          key,
          ['enum', 'const', 'default', 'examples'].includes(key)
            ? value
            : withoutKeyword(value, keyword, depth + 1),
        ],
      ]
    }),
  )
}

/** For a change that was remembered. */
export const withoutKeywordOf = (body: Body, keyword: string): Body =>
  eachTool(body, ({ holder, schemaKey }) => ({
    ...holder,
    [schemaKey]: withoutKeyword(holder[schemaKey], keyword),
  }))
