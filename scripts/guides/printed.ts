/** Whether a page shows what is really printed. `…` stands for anything. */
import type { Block } from './blocks.ts'

/** Null if it does. A text has to stand there line by line; of JSON, each field has to be there with its type. */
export function differenceOf({ language, code }: Block, printed: string): string | null {
  return language === 'json' ? jsonDifference(code, printed) : textDifference(code, printed)
}

function textDifference(code: string, printed: string): string | null {
  const escaped = code.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (new RegExp(escaped.replaceAll('…', '[\\s\\S]*?')).test(printed)) return null
  return `what is printed is not this, but\n${printed.slice(0, 3_000)}`
}

function jsonDifference(code: string, printed: string): string | null {
  const shown = fieldsOf(JSON.parse(code))
  const replies = valuesIn(printed).map(value => fieldsOf(value))
  const missing = replies.map(fields => [...shown].filter(field => !fields.has(field)))
  if (missing.some(fields => fields.length === 0)) return null
  const closest = missing.sort((a, b) => a.length - b.length)[0]
  return `no reply has ${(closest ?? [...shown]).join(', ')}; printed was\n${printed.slice(0, 3_000)}`
}

/** Each path with the type of what is there, such as `data.id string`. All items of a list share a path. */
function fieldsOf(value: unknown, path = ''): Set<string> {
  if (typeof value !== 'object' || value === null)
    return new Set(path.endsWith('…') ? [] : [`${path} ${value === null ? 'null' : typeof value}`])
  const entries = Array.isArray(value) ? value.map(item => ['', item] as const) : Object.entries(value)
  return new Set(
    entries.flatMap(([name, item]) => [...fieldsOf(item, path === '' ? name : `${path}.${name}`)]),
  )
}

/** The objects that stand in a text one behind the other, as curl prints replies. */
function valuesIn(text: string): unknown[] {
  const values: unknown[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start)) {
    const end = endOfObject(text, start)
    if (end === null) return values
    values.push(JSON.parse(text.slice(start, end)))
    start = end
  }
  return values
}

function endOfObject(text: string, start: number): number | null {
  let depth = 0
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1
    if (token === '}') depth -= 1
    if (depth === 0) return start + index + 1
  }
  return null
}
