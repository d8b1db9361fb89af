/** Writes a call as TypeScript: by the SDK's method where there is one, otherwise by fetch. */
import { type Call, fileName } from './call.ts'
import { searchOf } from './curl.ts'
import { literal, type Style } from './literal.ts'
import { sdkCalls } from './sdk-calls.ts'

const style: Style = {
  text: value =>
    value.includes("'")
      ? JSON.stringify(value)
      : `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')}'`,
  key: name => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : style.text(name)),
  words: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
}

export function typeScriptOf(call: Call): string {
  const written = sdkCalls[call.operationId]
  return written === undefined ? fetchOf(call) : sdkOf(call, written)
}

function sdkOf(call: Call, written: string): string {
  const [, verb = 'result', template = ''] = /^(?:(each|void|file) )?(.+)$/.exec(written) ?? []
  const made = `atrium.${template.replaceAll(/\$(\w+)(?:\.(\w+))?/g, (_, name: string, field?: string) => exampleFor(call, name, field))}`
  const file = made.includes('readFile(') ? "import { readFile } from 'node:fs/promises'\n" : ''
  return `import { Atrium } from '@atrium/sdk'
${file}
const atrium = new Atrium({ apiKey: process.env.KEY, baseUrl: process.env.ATRIUM })
${endings[verb]?.(made) ?? ''}`
}

/** What is done with the value of a method. */
const endings: Record<string, (made: string) => string> = {
  result: made => `const result = await ${made}\nconsole.log(result)`,
  each: made => `for await (const event of ${made}) console.log(event)`,
  file: made => `const reply = await ${made}\nconsole.log(await reply.arrayBuffer())`,
  void: made => `await ${made}`,
}

/** The example for a placeholder of `sdkCalls`. */
function exampleFor({ body, query, pathValues }: Call, name: string, field: string | undefined): string {
  if (name === 'file') return `{ name: '${fileName}', content: await readFile('${fileName}') }`
  if (name === 'body' && body.kind === 'json') {
    const value = field === undefined ? body.value : (body.value as Record<string, unknown>)[field]
    return literal(value, style)
  }
  if (name === 'form' && body.kind === 'form') {
    return style.text(body.parts.find(part => part.name === field)?.example ?? '…')
  }
  if (name === 'query') return style.text(query[field ?? ''] ?? '…')
  const value = pathValues[name] ?? '…'
  return field === 'number' ? String(Number(value)) : style.text(value)
}

function fetchOf({ method, path, query, headers, needsKey, body, answer }: Call): string {
  const type = body.kind === 'json' ? 'application/json' : body.kind === 'bytes' ? body.mediaType : null
  const lines = [
    ...(needsKey ? [`Authorization: \`Bearer \${process.env.KEY}\``] : []),
    ...Object.entries(headers).map(([name, value]) => `${style.key(name)}: ${style.text(value)}`),
    ...(type === null ? [] : [`'Content-Type': '${type}'`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(lines.length === 0 ? [] : [`headers: { ${lines.join(', ')} }`]),
    ...bodyOptions(body),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.map(option => `  ${option},\n`).join('')}}`
  const before =
    body.kind === 'form' ? `const form = new FormData()\n${body.parts.map(appended).join('\n')}\n` : ''
  const file = /readFile/.test(before + given) ? "import { readFile } from 'node:fs/promises'\n\n" : ''
  const read =
    answer === 'json' ? 'await reply.json()' : answer === 'nothing' ? 'reply.status' : 'await reply.text()'
  return `${file}${before}const reply = await fetch(\`\${process.env.ATRIUM}${path}${searchOf(query)}\`${given})
if (!reply.ok) throw new Error(await reply.text())
console.log(${read})`
}

const appended = ({ name, isFile, example }: { name: string; isFile: boolean; example: string }): string =>
  isFile
    ? `form.append('${name}', new Blob([await readFile('${fileName}')]), '${fileName}')`
    : `form.append('${name}', ${style.text(example)})`

function bodyOptions(body: Call['body']): string[] {
  switch (body.kind) {
    case 'none':
      return []
    case 'json':
      return [`body: JSON.stringify(${literal(body.value, style, '  ')})`]
    case 'form':
      return ['body: form']
    case 'bytes':
      return [`body: await readFile('${fileName}')`]
  }
}
