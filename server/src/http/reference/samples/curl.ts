/** Writes a call as curl: `$ATRIUM` stands for the base address and `$KEY` for the key, as in the guides. */
import { type Call, fileName } from './call.ts'

export function curlOf({ method, path, query, headers, needsKey, body, answer }: Call): string {
  const address = `"$ATRIUM${path}${searchOf(query)}"`
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`}${answer === 'file' ? ' -O' : ''} ${address}`]
  if (needsKey) parts.push('-H "Authorization: Bearer $KEY"')
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  return [...parts, ...bodyOptions(body)].join(' \\\n  ')
}

export const searchOf = (query: Record<string, string>): string => {
  const search = new URLSearchParams(query)
  return search.size === 0 ? '' : `?${search}`
}

function bodyOptions(body: Call['body']): string[] {
  switch (body.kind) {
    case 'none':
      return []
    case 'json':
      return ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body.value, null, 2))}`]
    case 'form':
      return body.parts.map(
        ({ name, isFile, example }) => `-F ${quoted(`${name}=${isFile ? `@${fileName}` : example}`)}`,
      )
    case 'bytes':
      return [`-H "Content-Type: ${body.mediaType}"`, `--data-binary @${fileName}`]
  }
}

/** Within single quotes a shell changes nothing; only the quote itself ends the text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
