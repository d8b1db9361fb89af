/** The address of PostgreSQL: the slips that its client ignores, or reports without the name of the setting. */
import { readFileSync } from 'node:fs'
import { nearestName } from '../platform/text/nearest-name.ts'
import { urlOf } from './setting.ts'

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const files = ['sslrootcert', 'sslcert', 'sslkey']
const names = ['sslmode', 'sslnegotiation', ...files]

export function postgresUrl(value: string): string {
  const url = urlOf(['postgres:', 'postgresql:'])(value)
  const parameters = new URL(url).searchParams
  for (const name of parameters.keys()) {
    const nearest = names.includes(name) ? null : nearestName(name, names, { mostEdits: 2 })
    // The client would connect without TLS.
    if (nearest !== null)
      throw new Error(`has the parameter ${name}, which PostgreSQL does not know; did you mean ${nearest}?`)
  }
  const mode = parameters.get('sslmode')
  if (mode !== null && !modes.includes(mode))
    throw new Error(`must have one of these for sslmode: ${modes.join(', ')}`)
  for (const name of files) {
    const path = parameters.get(name)
    if (path !== null) requireFile(name, path)
  }
  return url
}

function requireFile(name: string, path: string): void {
  try {
    readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`names ${path} as ${name}, a file that cannot be read (${code}): correct the path`)
  }
}
