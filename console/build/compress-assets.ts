/** Writes `.br` and `.gz` beside each built text, so that the server compresses nothing while it answers. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressed = new Set(['.js', '.css', '.html', '.svg'])

export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const files = entries.filter(entry => entry.isFile() && compressed.has(extname(entry.name)))
      for (const file of files) await compress(join(file.parentPath, file.name))
    },
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${path}.br`, brotliCompressSync(content, { params }))
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
}
