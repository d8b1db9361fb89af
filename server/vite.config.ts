/**
 * How the server and the operator's command are built: what each start needs is a few files instead of 1,300. What is
 * loaded at first use stays in files of its own. The sources stay what people read and edit: see `src/built.js`.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { hashOf } from './src/built.js'

const output = join(import.meta.dirname, 'dist')
const libraries = join(import.meta.dirname, '../node_modules')
const programs = {
  server: join(import.meta.dirname, 'src/start/process.ts'),
  operator: join(import.meta.dirname, 'src/operator/run.ts'),
  'search-thread': join(import.meta.dirname, 'src/features/knowledge/vectors/search-thread.ts'),
  'watch-thread': join(import.meta.dirname, 'src/platform/watch/watch-thread.ts'),
}

/** What a file names by its own place it still finds; a thread is started from the file that is built for it. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!isAbsolute(id) || id.startsWith(libraries)) return null
    const threads = Object.entries(programs).map(([name, source]) => ({
      asWritten: `new URL('./${relative(dirname(id), source)}', import.meta.url)`,
      built: `new URL('./${name}.js', import.meta['url'])`,
    }))
    return threads
      .reduce((text, { asWritten, built }) => text.replaceAll(asWritten, built), code)
      .replaceAll('import.meta.dirname', `(import.meta['dirname'] + '/${relative(output, dirname(id))}')`)
      .replaceAll('import.meta.url', `new URL('${relative(output, id)}', import.meta['url']).href`)
  },
}

/** By this list `src/built.js` sees whether the sources are still those that were built. */
const sources: Plugin = {
  name: 'sources',
  generateBundle() {
    const own = [...this.getModuleIds()].filter(id => isAbsolute(id) && !id.startsWith(libraries))
    const list = [...own, join(libraries, '../package-lock.json')].map(path => {
      const { mtimeMs, size } = statSync(path)
      return [relative(output, path), mtimeMs, size, hashOf(readFileSync(path))]
    })
    this.emitFile({ type: 'asset', fileName: 'sources.json', source: JSON.stringify(list) })
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [places, sources],
  // Libraries that choose what to load of themselves while they run stay where they are.
  ssr: { noExternal: true, external: ['ioredis', 'nodemailer', 'pg', 'undici'] },
  build: {
    target: 'node24',
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: programs,
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        comments: false,
        // A server that still runs while the next one is built must not take a function of another name for its own.
        minifyInternalExports: false,
      },
      checks: { ineffectiveDynamicImport: false },
    },
  },
})
