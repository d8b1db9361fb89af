/** The calls of a whole answer, as the tools that were offered are named, with arguments that are JSON, each call once. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider'
import { isFields } from '@atrium/connectors/fields'
import { jsonIn } from '@atrium/connectors/gate'
import { modelTextLimits } from '../../text/model-text.ts'

export type Tidied = { content: LanguageModelV3Content[]; notes: string[] }

export function tidyCalls(
  content: readonly LanguageModelV3Content[],
  tools: LanguageModelV3CallOptions['tools'] = [],
): Tidied {
  const names = tools.flatMap(tool => (tool.type === 'function' ? [tool.name] : []))
  const notes: string[] = []
  const seen = new Set<string>()
  const tidied = content.flatMap((part): LanguageModelV3Content[] => {
    if (part.type !== 'tool-call') return [part]
    const call = tidyCall(part, names, notes)
    const key = JSON.stringify([call.toolCallId, call.toolName, call.input])
    if (!seen.has(key)) {
      seen.add(key)
      return [call]
    }
    notes.push('a call came twice; it counts once')
    return []
  })
  return { content: tidied, notes }
}

function tidyCall(
  call: LanguageModelV3ToolCall,
  names: readonly string[],
  notes: string[],
): LanguageModelV3ToolCall {
  const toolName = nameAmong(names, call.toolName)
  if (toolName !== call.toolName) notes.push(`${call.toolName.slice(0, 100)} was read as ${toolName}`)
  const input = jsonTextIn(call.input)
  if (input === null || input === call.input) return { ...call, toolName }
  notes.push('arguments were written around their JSON')
  return { ...call, toolName, input }
}

/** The offered name that a model has written with signs of its own around it; the name as it came if there is none. */
export function nameAmong(names: readonly string[], written: string): string {
  if (names.includes(written) || written.length > mostNameLength) return written
  // The marks of a model's own format stand behind the name, and the name of a group before it.
  const bare = written.replace(/^[\s"'`<|]+/, '').replace(/[\s"'`<[({|].*$/s, '')
  const inGroup = /^.*?[.:/](.+)$/.exec(bare)?.[1] ?? bare
  const unnumbered = (name: string): string => name.replace(/:\d+$/, '')
  for (const candidate of [bare, unnumbered(bare), inGroup, unnumbered(inGroup), lastPart(bare)]) {
    if (names.includes(candidate)) return candidate
  }
  for (const candidate of [bare, unnumbered(inGroup), lastPart(bare)]) {
    const alike = names.filter(name => plain(name) === plain(candidate))
    if (alike.length === 1) return alike[0] ?? written
  }
  return written
}

/** The names of tools are shorter. */
const mostNameLength = 300

const lastPart = (name: string): string =>
  name
    .replace(/:\d+$/, '')
    .split(/[^\w-]/)
    .at(-1) ?? name

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const isJson = (text: string): boolean => jsonIn(text, modelTextLimits) !== undefined

/** The JSON in what a model has written for arguments; null if there is none. */
function jsonTextIn(written: string): string | null {
  const text = written.trim()
  if (text === '') return written
  const value = jsonIn(text, modelTextLimits)
  if (value === null) return '{}'
  // JSON that is written as a text in JSON.
  if (typeof value === 'string') return value.trim() === '' ? '{}' : isObject(value) ? value : null
  if (value !== undefined) return written
  return (
    [inFence(text), behindEmpty(text), beforeMarks(text)].find(inner => inner !== null && isJson(inner)) ??
    null
  )
}

function inFence(text: string): string | null {
  const from = text.indexOf('\n') + 1
  return text.startsWith('```') && text.endsWith('```') && from > 0 ? text.slice(from, -3) : null
}

/** An empty object before the arguments stands for none. */
const behindEmpty = (text: string): string | null =>
  /^(?:\{\s{0,9}\}\s{0,9})+(\{.*)$/s.exec(text)?.[1] ?? null

/** The marks of a model's own format stand behind the arguments. */
function beforeMarks(text: string): string | null {
  let end = text.trimEnd().length
  for (let count = 0; count < mostMarks; count++) {
    const tail = text.slice(Math.max(0, end - longestMark), end)
    const mark = /(?:<\|?\/?\w[\w|]{0,40}>|```|\[\/?[A-Z_]{1,40}\])$/.exec(tail)
    if (mark === null) break
    end = text.slice(0, end - mark[0].length).trimEnd().length
  }
  return end === text.length ? null : text.slice(0, end)
}

const mostMarks = 10
const longestMark = 50

const isObject = (text: string): boolean => isFields(jsonIn(text, modelTextLimits))
