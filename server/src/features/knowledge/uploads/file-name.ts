/** The name of a file that was fetched: as its server says, else as the address ends. */
import { extname } from 'node:path'
import { safeName } from '../../../platform/blobs/file-name.ts'

/** Never empty, without folders and control characters. */
export function fileNameOf(url: string, headers: Headers): string {
  const named = statedName(headers.get('content-disposition') ?? '') ?? lastOf(url)
  const name = named.trim() === '' ? new URL(url).hostname : safeName(named)
  const ending = endings[(headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '']
  // The ending decides between kinds of text, which look alike; what is none of them, the content tells.
  return extname(name) === '' && ending !== undefined ? safeName(name + ending) : name
}

/** RFC 6266: the extended name counts before the plain one. */
function statedName(disposition: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decoded(extended)
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  return plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? null
}

const lastOf = (url: string): string => decoded(new URL(url).pathname.split('/').at(-1) ?? '') ?? ''

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not every address is UTF-8; then the file is named as it is written there.
    return text
  }
}

const endings: Readonly<Record<string, string>> = {
  'application/json': '.json',
  'application/xml': '.xml',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'text/xml': '.xml',
}
