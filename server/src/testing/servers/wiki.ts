/** The wiki of examples/connector as a process of its own, for tests of what is built on it. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../..')

/** The connector that docs/guides/connectors.md builds. */
export const wikiConnector = resolve(root, 'examples/connector/wiki.ts')
export const wikiKey = 'let-me-in'

export type Wiki = {
  origin: string
  write(slug: string, markdown: string): Promise<void>
  remove(slug: string): Promise<void>
  read(slug: string): Promise<string>
}

/** It holds the pages `leave`, `travel` and `pets`. */
export async function startWiki(t: { after: (work: () => void) => void }): Promise<Wiki> {
  const child = spawn(process.execPath, [resolve(root, 'examples/connector/service.ts'), '0'], {
    stdio: 'pipe',
  })
  t.after(() => void child.kill())
  const origin = await originOf(child.stdout)
  const call = async (slug: string, method: string, body: string | null = null) => {
    const headers = { 'x-wiki-key': wikiKey }
    return await fetch(`${origin}/api/pages/${slug}`, { method, body, headers })
  }
  return {
    origin,
    write: async (slug, markdown) => void (await call(slug, 'PUT', markdown)),
    remove: async slug => void (await call(slug, 'DELETE')),
    async read(slug) {
      const { markdown } = (await (await call(slug, 'GET')).json()) as { markdown: string }
      return markdown
    },
  }
}

async function originOf(output: AsyncIterable<Buffer>): Promise<string> {
  for await (const piece of output) {
    const [origin] = /http:\/\/[\d.:]+/.exec(String(piece)) ?? []
    if (origin !== undefined) return origin
  }
  throw new Error('The wiki did not start')
}
