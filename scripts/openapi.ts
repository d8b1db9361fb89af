/**
 * Writes openapi.json from the routes of the code; with `--check` it only says whether the file is fresh.
 * The SDK's types are made of the file, so they are written too.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { typesOf } from '../sdk/scripts/types.ts'
import { createApp } from '../server/src/app.ts'
import { buildOpenApi } from '../server/src/http/openapi.ts'
import { readSettings } from '../server/src/settings/settings.ts'
import { openDependencies } from '../server/src/start/dependencies.ts'

const root = resolve(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const document = await documentOfTheCode()
const files = [
  { path: 'openapi.json', content: `${JSON.stringify(document, null, 2)}\n` },
  { path: 'sdk/src/generated.ts', content: await typesOf(document) },
]
const stale: string[] = []
for (const { path, content } of files) {
  const present = await readFile(join(root, path), 'utf8').catch(() => '')
  if (present !== content) stale.push(path)
  if (!options.check) await writeFile(join(root, path), content)
}
if (!options.check) console.log(stale.length === 0 ? 'Nothing has changed.' : `Written: ${stale.join(', ')}`)
else if (stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Write it again: npm run openapi`)
  process.exit(1)
}

/** The routes stand only in a whole app, so one is made on an empty folder. */
async function documentOfTheCode(): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-openapi-'))
  const settings = readSettings({ ATRIUM_DATA_DIR: folder, ATRIUM_LOG_LEVEL: 'silent' })
  const dependencies = await openDependencies(settings)
  const app = createApp(dependencies)
  try {
    return buildOpenApi(app.routes)
  } finally {
    await app.close()
    await dependencies.close()
    await rm(folder, { recursive: true })
  }
}
