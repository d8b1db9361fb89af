/** Writes the guides that are lists of what the code has; with `--check` it only says whether they are fresh. */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listSettings } from '../server/src/config.ts'
import { errorCodes } from '../server/src/platform/errors.ts'

const folder = resolve(import.meta.dirname, '../docs/guides')
const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const pages = [
  { name: 'settings.md', content: settingsPage() },
  { name: 'error-codes.md', content: errorCodesPage() },
]
for (const { name, content } of pages) {
  const file = resolve(folder, name)
  const isFresh = (await readFile(file, 'utf8').catch(() => '')) === content
  if (!options.check) await writeFile(file, content)
  else if (!isFresh) {
    console.error(`docs/guides/${name} is stale. Mend it by: npm run docs:pages`)
    process.exitCode = 1
  }
}

function settingsPage(): string {
  const rows = listSettings().map(({ variable, help, shownDefault, secret }) => [
    `\`${variable}\``,
    secret ? `${help} Never logged.` : help,
    shownDefault === '' ? '' : `\`${shownDefault}\``,
  ])
  return `# Settings

Every setting is an environment variable; an empty one counts as unset. A wrong value, or an \`ATRIUM_\` variable that does not
exist, stops the start with one line for each fault. \`npm start -- --help\` prints the same list.

${table(['variable', 'what it does', 'default'], rows)}

This page is written by \`npm run docs:pages\` from \`server/src/config.ts\`.
`
}

function errorCodesPage(): string {
  const rows = Object.entries(errorCodes)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, retryable, message }]) => [
      `\`${code}\``,
      String(status),
      retryable ? 'yes' : 'no',
      message,
    ])
  return `# Error codes

The closed list of \`code\`, with the status of each, whether the same request may succeed later, and the message that is sent
unless there is more to say. What to do with them: [errors](errors.md).

${table(['code', 'status', 'retryable', 'message'], rows)}

This page is written by \`npm run docs:pages\` from \`server/src/platform/errors.ts\`.
`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
