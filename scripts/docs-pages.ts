/** Writes the guides that are lists of what the code has; with `--check` it only says whether they are fresh. */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { conversions, formats } from '../server/src/features/knowledge/parsing/formats.ts'
import {
  maxMailLines,
  maxPdfPages,
  maxRecognisedPages,
  maxTextBytes,
  maxTextLength,
} from '../server/src/features/knowledge/parsing/limits.ts'
import { maxWarningPages, warningKinds } from '../server/src/features/knowledge/parsing/warnings.ts'
import { documentFailures, isRetryable } from '../server/src/features/knowledge/records/document-outbox.ts'
import { detailsSchema, type ErrorCode, errorCodes } from '../server/src/platform/errors.ts'
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
  const lines = listSettings().map(({ variable, help, shownDefault, secret }) => {
    const byDefault = shownDefault === '' ? '' : ` (\`${shownDefault}\`)`
    const note = secret && !/secret/i.test(help) ? ' Secret.' : ''
    return brokenLine(`- \`${variable}\`${byDefault}: ${help}${note}`)
  })
  return `# Settings

Every setting is an environment variable. An empty one counts as unset: then it has the value in parentheses. A wrong
value, or an unknown \`ATRIUM_\` variable, stops the start. \`npm start -- --help\` prints this list too.

A secret setting is never logged, and can come from a file: \`ATRIUM_SECRET_FILE\` names one with \`ATRIUM_SECRET\`.

${lines.join('\n')}

This page is written by \`npm run docs:pages\` from \`server/src/settings/settings.ts\`.
`
}

function formatsPage(): string {
  const all = Object.values(formats)
  const lines = all
    .filter(({ isPicture, conversion, hasReader }) => !isPicture && (conversion === undefined || hasReader))
    .map(({ label, mediaType }) => `- ${label}: \`${mediaType}\``)
  const pictures = all
    .filter(({ isPicture }) => isPicture === true)
    .map(({ mediaType }) => `\`${mediaType}\``)
  const conversionRows = Object.entries(conversions).map(([conversion, advice]) => {
    const types = all
      .filter(format => format.conversion === conversion)
      .map(({ mediaType }) => `\`${mediaType}\``)
    return `| \`${conversion}\` | ${types.join(', ')} | ${advice} |`
  })
  return `# Formats

The content of a file decides its type. The name only decides between kinds of text that look alike. Text can be in any
common encoding.

${lines.join('\n')}

What becomes of their content:

- **Read**: headings, lists, code, notes, comments, text boxes, charts, diagrams, hidden sheets and slides, remarks in
  a PDF, filled forms, cells of a notebook with what they printed, attachments of mail, each message of a mailbox,
  events of a calendar with time, place and people.
- Pages of a PDF and slides keep their numbers, subtitles their times, JSON and XML their names.
- A row of a table is one line, with vertical bars between cells, dates in ISO 8601 and money with its sign.
- Files attached to a PDF, or embedded in Office files, are read under their names.
- **Not read**: pictures within Office files and web pages, deleted passages of tracked changes. Links to other files
  are never fetched.
- **Hidden text** of HTML is not read: \`hidden\`, \`display: none\`, \`visibility: hidden\`, without opacity or size, in
  the colour of its ground, or far outside of the page. Read is text that the page unfolds (\`<details>\`, tabs, menus,
  rules for some screens), and text for screen readers: \`aria-hidden\` is about voices, not about sight.
  Of Office and OpenDocument files, hidden characters, sections, shapes and layers are not read.

**Pictures** are ${pictures.join(', ')}.
Their text, and that of scanned pages in a PDF, is recognised on the server itself, by Tesseract. A page takes about
3 seconds. No other document waits for it, and at most two documents are recognised at once. \`progress\` counts the
pages. Those that lie on their side or head are turned.

- \`ATRIUM_OCR_LANGUAGES=eng,deu\` are the languages, each of which costs time. English comes along; others are packages:
  \`npm install @tesseract.js-data/deu\`.
- \`ATRIUM_OCR_COMMAND=tesseract {file} stdout -l eng+deu\` reads them with a program in its place. Debian's takes two
  thirds of the time.
- \`ATRIUM_OCR=off\` leaves them unread: a picture or scan is stored and fails with \`no_text\`. It can still be
  [attached to a run](structured-output.md#attachments).

**Archives.** Send a zip as [many files](uploads.md#many-files-or-a-zip). Unpack others first.

**Other types** are a \`415\` that names the type found, and what to do. A file that cannot be read [fails with a
code](error-codes.md#why-a-document-failed).

## The largest

- A document has at most ${inDigits(maxTextLength)} characters. More fails with \`text_too_long\`: split the file.
- A file of text, such as plain text, HTML, CSV, JSON or mail, has at most ${inDigits(maxTextBytes)} bytes: a 413.
- A PDF has at most ${inDigits(maxPdfPages)} pages, and ${inDigits(maxRecognisedPages)} that need text recognition.
- A message of mail has at most ${inDigits(maxMailLines)} lines. More fails with \`too_large\`, as for the PDF.
- The plan's largest upload comes first: \`GET /usage\` shows it.

## What is not read

A document that is \`ready\` may lack a part of its file. Its \`warnings\` say which, as do those of each version and of
the event \`document.ready\`: \`[{"code": "pictures_not_read", "count": 2, "pages": [1, 4]}]\`. \`pages\` has at most
${maxWarningPages} pages, and is empty for formats without pages. The list is empty if all was read. A document that was
read before there were warnings has none until it is [read again](documents.md#versions). More codes may come.

| code | what is counted |
|---|---|
${Object.entries(warningKinds)
  .map(([code, kind]) => `| \`${code}\` | ${kind} |`)
  .join('\n')}

## Files that need a program

| kind | media types | without a program |
|---|---|---|
${conversionRows.join('\n')}

The operator can set a program that converts them. It runs on the server, without a shell and without the network:

- \`ATRIUM_CONVERTER_COMMAND\` is the program, with \`{file}\` for its input, and \`{folder}\` if it leaves a file.
  \`ATRIUM_CONVERTER_TYPES\` are the kinds that it takes.
- It prints text, or leaves one file in \`{folder}\`, which is read by its own format:
  \`soffice --headless --convert-to pdf --outdir {folder} {file}\`. For several kinds, name a script that chooses.
- It ends with code 0. Otherwise the document fails with \`conversion_failed\`, and the log has its last words.
- It converts one file of a workspace at a time, two in all, and writes at most 256 MiB.

This page is written by \`npm run docs:pages\` from \`server/src/features/knowledge/parsing/formats.ts\`.
`
}

function inDigits(count: number): string {
  return count.toLocaleString('en')
}

function errorCodesPage(): string {
  const all = Object.entries(errorCodes)
  const statuses = [...new Set(all.map(([, { status }]) => status))].sort((a, b) => a - b)
  const sections = statuses.map(status => {
    const lines = all
      .filter(([, error]) => error.status === status)
      .map(([code]) => errorLine(code as ErrorCode))
    return `## ${status}\n\n${lines.join('\n')}`
  })
  const failures = Object.entries(documentFailures).map(([code, message]) =>
    brokenLine(`- \`${code}\`${isRetryable(code) ? ', retryable' : ''}: ${message}`),
  )
  return `# Error codes

All values of \`code\`, with the default \`message\` and the fields of \`details\`. A retryable request may succeed later.
What to do: [errors](errors.md).

${sections.join('\n\n')}

## Why a document failed

All values of \`error.code\` of a \`failed\` document. For a retryable one, try the same file again with
\`POST /knowledge/documents/:id/retry\`. Others need another file or setting.

${failures.join('\n')}

This page is written by \`npm run docs:pages\` from \`server/src/platform/errors.ts\` and
\`server/src/features/knowledge/records/document-outbox.ts\`.
`
}

function errorLine(code: ErrorCode): string {
  const { retryable, message } = errorCodes[code]
  const details = Object.keys(detailsSchema(code)?.properties ?? {}).map(name => `\`${name}\``)
  const fields = details.length === 0 ? '' : ` (${details.join(', ')})`
  return brokenLine(`- \`${code}\`${retryable ? ', retryable' : ''}: ${message}${fields}`)
}

function brokenLine(item: string): string {
  return item.length < 120 ? item : item.replace(/^(.{1,119}) /, '$1\n  ')
}
