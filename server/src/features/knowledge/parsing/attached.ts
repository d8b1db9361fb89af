/** Files within another file: each is read under a heading of its name. The names of unreadable files are listed. */
import { ParseFailure } from './failure.ts'
import type { Source } from './reader.ts'
import { onOneLine, type TextWriter } from './text-writer.ts'

/** The file that holds the attached files. */
export type Holder = Pick<Source, 'beginInner' | 'readInner' | 'warn'>

export type AttachedFile = { name: string; bytes: Buffer }

export type Attached = {
  name: string
  /** Null if the object is not a file, such as a formula. Throws `ParseFailure`. */
  open(): AttachedFile | null | Promise<AttachedFile | null>
}

/**
 * Writes each file under a heading of this level, on the page if there is one. Of the `ParseFailure`s only
 * `text_too_long` is thrown: an unreadable attached file does not fail its holder.
 */
export async function writeAttached(
  files: Iterable<Attached>,
  source: Holder,
  writer: TextWriter,
  { level, page }: { level: number; page?: number | undefined },
): Promise<void> {
  const placed = page === undefined ? writer : onPage(writer, page)
  const unread: string[] = []
  for (const file of files) {
    const name = await writeFile(file, source, placed, level)
    if (name !== null) unread.push(name)
  }
  const named = unread.slice(0, maxNamed).map(name => `Attachment: ${name}`)
  if (unread.length > maxNamed) named.push(`${unread.length - maxNamed} more attachments`)
  placed.add('list', named.join('\n'))
  source.warn('attachment_not_read', { page, count: unread.length })
}

const maxNamed = 100

/** Returns the file's name if the file was not read, else null. */
async function writeFile(
  file: Attached,
  { beginInner, readInner }: Holder,
  writer: TextWriter,
  level: number,
): Promise<string | null> {
  let name = shownName(file.name)
  if (!beginInner()) return name
  let isWritten = false
  try {
    const opened = await file.open()
    if (opened === null) return null
    name = shownName(opened.name)
    const below = belowHeadings(writer, level)
    const inner: TextWriter = {
      add(kind, text, options) {
        if (!isWritten) writer.add('heading', `Attachment: ${name}`, { level, isAttached: true })
        isWritten = true
        below.add(kind, text, { ...options, isAttached: true })
      },
    }
    const isRead = await readInner(opened.bytes, opened.name, inner)
    return isRead && isWritten ? null : name
  } catch (error) {
    if (error instanceof ParseFailure && error.code !== 'text_too_long') return name
    throw error
  }
}

const maxNameLength = 200

/** The name without its folders, and without control and direction signs that could disguise the name. */
function shownName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  const plain = onOneLine(name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')).slice(0, maxNameLength)
  return plain === '' ? 'unnamed' : plain
}

/** Moves headings down by so many levels. */
export const belowHeadings = (writer: TextWriter, levels: number): TextWriter => ({
  add: (kind, text, { level = 0, ...options } = {}) =>
    writer.add(kind, text, { ...options, level: kind === 'heading' ? level + levels : level }),
})

export const onPage = (writer: TextWriter, page: number): TextWriter => ({
  add: (kind, text, options) => writer.add(kind, text, { ...options, page }),
})
