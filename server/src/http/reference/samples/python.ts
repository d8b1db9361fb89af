/** Writes a call as Python with httpx. */
import { type Call, fileName } from './call.ts'
import { literal, type Style } from './literal.ts'

/** A JSON string is a Python string too. */
const style: Style = {
  text: JSON.stringify,
  key: JSON.stringify,
  words: { true: 'True', false: 'False', null: 'None' },
  padding: '',
}

/** A run answers within a minute; httpx waits five seconds unless told. */
const timeoutSeconds = 70

export function pythonOf(call: Call): string {
  const { needsKey, answer } = call
  const key = needsKey ? `    headers={"Authorization": f"Bearer {os.environ['KEY']}"},\n` : ''
  const begin = `import os
import httpx

atrium = httpx.Client(
    base_url=os.environ["ATRIUM"],
${key}    timeout=${timeoutSeconds},
)
`
  const method = JSON.stringify(call.method)
  const values = [method, style.text(call.path), ...options(call)]
  const short = values.join(', ')
  const list =
    short.length <= 56 && !short.includes('\n')
      ? short
      : `\n${values.map(value => `    ${value},\n`).join('')}`
  if (answer === 'events') {
    return `${begin}with atrium.stream(${list}) as reply:
    if reply.is_error:
        raise SystemExit(reply.read().decode())
    for line in reply.iter_lines():
        print(line)`
  }
  return `${begin}reply = atrium.request(${list})
${check}${ending[answer]}`
}

/** `raise_for_status` would leave the body out, which says what is wrong. */
const check = `if reply.is_error:
    raise SystemExit(reply.text)`

const ending: Record<Exclude<Call['answer'], 'events'>, string> = {
  json: '\nprint(reply.json())',
  file: '\nopen("download", "wb").write(reply.content)',
  nothing: '',
}

function options({ query, headers, body }: Call): string[] {
  const given = (name: string, value: object) =>
    Object.keys(value).length === 0 ? [] : [`${name}=${literal(value, style, '    ')}`]
  const type = body.kind === 'bytes' ? { 'Content-Type': body.mediaType } : {}
  return [...given('params', query), ...given('headers', { ...headers, ...type }), ...bodyOptions(body)]
}

function bodyOptions(body: Call['body']): string[] {
  switch (body.kind) {
    case 'none':
      return []
    case 'json':
      return [`json=${literal(body.value, style, '    ')}`]
    case 'form': {
      const texts = body.parts.filter(({ isFile }) => !isFile).map(({ name, example }) => [name, example])
      const files = body.parts.filter(({ isFile }) => isFile)
      return [
        ...(texts.length === 0 ? [] : [`data=${literal(Object.fromEntries(texts), style, '    ')}`]),
        `files={${files.map(({ name }) => `"${name}": open("${fileName}", "rb")`).join(', ')}}`,
      ]
    }
    case 'bytes':
      return [`content=open("${fileName}", "rb")`]
  }
}
