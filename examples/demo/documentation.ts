/** The outside system of this connector: the repository's Markdown files. */
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

export type SourceFile = {
  /** The path in the repository, which names the document for good. */
  externalId: string
  content: Buffer<ArrayBuffer>
  sha256: string
}

const root = resolve(import.meta.dirname, '../..')
const patterns = ['*.md', 'docs/**/*.md', 'sdk/*.md']

export async function readDocumentation(): Promise<SourceFile[]> {
  const paths = await Array.fromAsync(glob(patterns, { cwd: root }))
  return Promise.all(
    paths.sort().map(async path => {
      const content = await readFile(resolve(root, path))
      const sha256 = createHash('sha256').update(content).digest('hex')
      return { externalId: path.replaceAll('\\', '/'), content, sha256 }
    }),
  )
}
