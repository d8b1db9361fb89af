/** Writes the guides that are lists of what the code has; with `--check` it only says whether they are fresh. */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formats } from '../server/src/features/knowledge/parsing/formats.ts'
import { documentFailures, isRetryable } from '../server/src/features/knowledge/records/ingest-failures.ts'
import { errorCodes } from '../server/src/platform/errors.ts'
import { listSettings } from '../server/src/settings/settings.ts'

const folder = resolve(import.meta.dirname, '../docs/guides')
const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const pages = [
  { name: 'settings.md', content: settingsPage() },
  { name: 'error-codes.md', content: errorCodesPage() },
  { name: 'formats.md', content: formatsPage() },
]
for (const { name, content } of pages) {
  const file = resolve(folder, name)
  const isFresh = (await readFile(file, 'utf8').catch(() => '')) === content
  if (!options.check) await writeFile(file, content)
  else if (!isFresh) {
    console.error(`docs/guides/${name} is stale. Write it again: npm run docs:pages`)
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
exist, stops the start with one line for each fault. \`npm start -- --help\` prints the same list. A secret setting (never logged) can
also be given by a file: \`ATRIUM_SECRET_FILE\` names the file that holds what \`ATRIUM_SECRET\` would, and so for the others.

${table(['variable', 'what it does', 'default'], rows)}

This page is written by \`npm run docs:pages\` from \`server/src/settings/settings.ts\`.
`
}

function formatsPage(): string {
  const all = Object.values(formats)
  const rows = all
    .filter(({ isPicture }) => isPicture !== true)
    .map(({ label, mediaType }) => [label, `\`${mediaType}\``])
  const pictures = all
    .filter(({ isPicture }) => isPicture === true)
    .map(({ mediaType }) => `\`${mediaType}\``)
  return `# Formats

What a file is, its content says; its name decides only between kinds of text that look alike. These are read, the text ones in any common encoding:

${table(['format', 'media type'], rows)}

Headings, lists, code, rows of tables, notes, comments, text boxes, charts and diagrams come through as text; pages of a PDF and
slides keep their numbers. A row of a table is one line, its cells parted by \` | \`; dates in sheets are ISO 8601. Hidden sheets and slides are read,
deleted passages of tracked changes are not. Nothing that a document names is ever fetched.

A message has its headers, its text and what is attached to it, read by its own format; a mailbox (mbox) each of its messages.
Calendars come as events with when, where and who, subtitles as running text with times, JSON and XML as lines of names and values.

Text in pictures (${pictures.join(', ')}) and in scans is read where the operator has set \`ATRIUM_OCR_COMMAND\`, such as
\`tesseract {file} stdout -l eng+deu\`. Elsewhere a picture is a \`415\`, and a PDF that is nothing but pictures ends as \`failed\` with \`no_text\`.

A zip is sent to \`POST /knowledge/documents/batch\`, which takes every file in it as a document of its own; other archives have to be unpacked first.

A file of another type is a \`415\` that says what it seems to be: old binary Office (\`.doc\`, \`.xls\`, \`.ppt\`) has to be saved in a
present format, and a password taken off first. A file that cannot be read ends as \`failed\`; [error codes](error-codes.md) lists why.

This page is written by \`npm run docs:pages\` from \`server/src/features/knowledge/parsing/formats.ts\`.
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
  const failures = Object.entries(documentFailures).map(([code, message]) => [
    `\`${code}\``,
    isRetryable(code) ? 'yes' : 'no',
    message,
  ])
  return `# Error codes

The closed list of \`code\`, with the status of each, whether the same request may succeed later, and the message that is sent
unless there is more to say. What to do with them: [errors](errors.md).

${table(['code', 'status', 'retryable', 'message'], rows)}

## Why a document failed

The closed list of \`error.code\` of a document whose status is \`failed\`. Where it is retryable, \`POST
/knowledge/documents/:id/retry\` may end otherwise with the same file; the others need another file, or another setting.

${table(['code', 'retryable', 'message'], failures)}

This page is written by \`npm run docs:pages\` from \`server/src/platform/errors.ts\` and
\`server/src/features/knowledge/records/ingest-failures.ts\`.
`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
