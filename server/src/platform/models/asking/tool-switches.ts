/** One tool that a server refuses loses its own schema, or itself, and not the request. */
import { isFields } from '@atrium/connectors/fields'
import { type Attempt, type Body, without } from './switches.ts'

/** A function that is offered, and where its schema lies. */
type Offered = { name: string; holder: Body; schemaKey: string }

/** The body with each function changed, in all four protocols; one for which `change` returns null is left out. */
function eachTool(body: Body, change: (offered: Offered) => Body | null): Body {
  const changed = (holder: Body, schemaKey = 'parameters'): Body | null =>
    change({ name: String(holder.name), holder, schemaKey })
  const tools = (Array.isArray(body.tools) ? body.tools : []).flatMap(tool => {
    if (!isFields(tool)) return [tool]
    if (Array.isArray(tool.functionDeclarations)) {
      const kept = tool.functionDeclarations.filter(isFields).flatMap(one => changed(one) ?? [])
      return kept.length === 0 ? [] : [{ ...tool, functionDeclarations: kept }]
    }
    if (isFields(tool.function)) {
      const kept = changed(tool.function)
      return kept === null ? [] : [{ ...tool, function: kept }]
    }
    if (typeof tool.name !== 'string') return [tool]
    return changed(tool, 'input_schema' in tool ? 'input_schema' : 'parameters') ?? []
  })
  return tools.length === 0 ? without(body, 'tools', 'tool_choice') : { ...body, tools }
}

function offeredIn(body: Body): Offered[] {
  const all: Offered[] = []
  eachTool(body, offered => {
    all.push(offered)
    return offered.holder
  })
  return all
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
  const all = offeredIn(body)
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
  for (const { holder, schemaKey } of offeredIn(body)) keywordsOf(holder[schemaKey], found)
  const quoted = (keyword: string) =>
    new RegExp(
      `['"\`./]${escaped(keyword)}['"\`:]|\\b${escaped(keyword)} (keyword|is not|are not)|(keyword|unknown name|unsupported):? ['"\`]?${escaped(keyword)}\\b`,
      'i',
    ).test(text)
  const keyword = [...found].find(
    one => !usual.includes(one) && quoted(one) && !tried.has(`keyword ${one} none`),
  )
  if (keyword === undefined) return null
  return {
    field: `keyword ${keyword}`,
    instead: 'none',
    isNamed: true,
    apply: given => withoutKeywordOf(given, keyword),
  }
}

/** Keywords whose value is an object of names, not of keywords. */
const named = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
/** Keywords whose value is data, not a schema. */
const literal = ['enum', 'const', 'default', 'examples']
const mostDepth = 30

function keywordsOf(schema: unknown, found: Set<string>, depth = 0): void {
  if (depth > mostDepth || typeof schema !== 'object' || schema === null) return
  if (Array.isArray(schema)) {
    for (const one of schema) keywordsOf(one, found, depth + 1)
    return
  }
  for (const [key, value] of Object.entries(schema)) {
    found.add(key)
    if (named.includes(key) && isFields(value))
      for (const one of Object.values(value)) keywordsOf(one, found, depth + 1)
    else if (!literal.includes(key)) keywordsOf(value, found, depth + 1)
  }
}

function withoutKeyword(schema: unknown, keyword: string, depth = 0): unknown {
  if (depth > mostDepth || typeof schema !== 'object' || schema === null) return schema
  const within = (value: unknown): unknown => withoutKeyword(value, keyword, depth + 1)
  if (Array.isArray(schema)) return schema.map(within)
  const kept = Object.entries(schema).filter(([key]) => key !== keyword)
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (named.includes(key) && isFields(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one)]))]
      return [key, literal.includes(key) ? value : within(value)]
    }),
  )
}

/** The body whose tools have schemas without the keyword. */
export const withoutKeywordOf = (body: Body, keyword: string): Body =>
  eachTool(body, ({ holder, schemaKey }) => ({
    ...holder,
    [schemaKey]: withoutKeyword(holder[schemaKey], keyword),
  }))
