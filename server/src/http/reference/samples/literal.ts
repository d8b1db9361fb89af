/** Writes JSON as a literal of a programming language, on one line where it is short. */

export type Style = {
  text(value: string): string
  key(name: string): string
  words: { true: string; false: string; null: string }
  /** Between the braces of an object on one line. */
  padding: string
}

const longestLine = 76

export function literal(value: unknown, style: Style, indent = ''): string {
  if (typeof value === 'string') return style.text(value)
  if (value === true || value === false || value === null) return style.words[`${value}`]
  if (typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const [open, close, padding] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', style.padding]
  const parts = Array.isArray(value)
    ? value.map(item => literal(item, style, inner))
    : Object.entries(value).map(([name, field]) => `${style.key(name)}: ${literal(field, style, inner)}`)
  if (parts.length === 0) return open + close
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`
  if (indent.length + line.length <= longestLine && !line.includes('\n')) return line
  return `${open}\n${parts.map(part => `${inner}${part},\n`).join('')}${indent}${close}`
}
