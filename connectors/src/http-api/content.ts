/** Makes the content of an API's item: a text in the item, the whole item, or a download. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Context, ItemMetadata } from '../connector.ts'
import { fileTimeoutMs, nullIfMissing } from '../http.ts'
import { addressOf, instantAt, misfit, textAt, valueAt, withId } from './api.ts'
import type { HttpConfig } from './settings.ts'

const formats = {
  markdown: { ending: 'md', mediaType: 'text/markdown' },
  html: { ending: 'html', mediaType: 'text/html' },
  text: { ending: 'txt', mediaType: 'text/plain' },
  json: { ending: 'json', mediaType: 'application/json' },
}

/** Null if there is no download. */
export async function contentOf(
  context: Context<HttpConfig>,
  config: HttpConfig,
  id: string,
  item: unknown,
): Promise<Content | null> {
  const { content, fields } = config
  const title = textAt(item, fields.title) ?? undefined
  const known = { metadata: metadataOf(config, item), title }
  if (content.from === 'download') return await download(context, config, id, known)
  const { ending, mediaType } = formats[content.format]
  const name = title ?? id
  const body = content.from === 'field' ? textOfField(config, id, item, name) : wholeItem(config, item, name)
  return { body, fileName: fileNameOf(name, ending), mediaType, ...known }
}

function textOfField({ content }: HttpConfig, id: string, item: unknown, title: string): string {
  const pointer = content.field ?? ''
  const value = valueAt(item, pointer)
  if (value === undefined) throw misfit('content.field', `${id} has nothing at ${pointer}`)
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value, null, 2)
  return text.trim() === '' ? headingOf(content.format, onOneLine(title)) : text
}

/** An item without text still becomes a document, which holds only the title. */
function headingOf(format: HttpConfig['content']['format'], title: string): string {
  switch (format) {
    case 'markdown':
      return `# ${title}\n`
    case 'html':
      return `<h1>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</h1>`
    case 'text':
      return `${title}\n`
    case 'json':
      return JSON.stringify(title)
  }
}

function wholeItem({ content }: HttpConfig, item: unknown, title: string): string {
  if (content.format === 'json') return JSON.stringify(item, null, 2)
  return `# ${onOneLine(title)}\n\n${blocksOf(item, '').join('\n\n')}\n`
}

const longText = 200

/** Writes fields as a list of names and values, and long texts under their own headings. */
function blocksOf(value: unknown, path: string): string[] {
  const lines: string[] = []
  const texts: string[] = []
  const take = (name: string, entry: unknown): void => {
    if (entry === null || entry === undefined || entry === '' || (Array.isArray(entry) && entry.length === 0))
      return
    if (typeof entry === 'object') {
      const entries = Array.isArray(entry)
        ? entry.map((one, index) => [String(index + 1), one])
        : Object.entries(entry)
      if (
        entries.every(([, one]) => typeof one !== 'object' && String(one).length <= longText) &&
        Array.isArray(entry)
      ) {
        lines.push(`- ${name}: ${entry.map(one => onOneLine(String(one))).join(', ')}`)
      } else for (const [inner, one] of entries) take(name === '' ? inner : `${name}.${inner}`, one)
    } else if (typeof entry === 'string' && (entry.length > longText || entry.includes('\n'))) {
      texts.push(`## ${name}\n\n${entry}`)
    } else lines.push(`- ${name}: ${onOneLine(String(entry))}`)
  }
  take(path, value)
  return [...(lines.length > 0 ? [lines.join('\n')] : []), ...texts]
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function metadataOf({ baseUrl, fields }: HttpConfig, item: unknown): ItemMetadata {
  const url = URL.parse(textAt(item, fields.url) ?? '', baseUrl)
  const author = textAt(item, fields.author)
  const createdAt = instantAt(item, fields.created)
  const updatedAt = instantAt(item, fields.updated)
  const more = Object.entries(fields.metadata).flatMap(([name, pointer]) => {
    const value = metadataValue(valueAt(item, pointer))
    return value === null ? [] : [[name, value] as const]
  })
  const own = withoutUndefined<ItemMetadata>({
    url: fields.url !== undefined && url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined,
    author: author ?? undefined,
    createdAt: createdAt !== null ? new Date(createdAt).toISOString() : undefined,
    updatedAt: updatedAt !== null ? new Date(updatedAt).toISOString() : undefined,
  })
  return { ...Object.fromEntries(more), ...own }
}

function metadataValue(value: unknown): string | number | boolean | string[] | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value)
    ? value.filter(one => typeof one === 'string' || typeof one === 'number').map(String)
    : null
}

const endings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(formats).map(({ ending, mediaType }) => [mediaType, ending])),
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
}

async function download(
  { http }: Context<HttpConfig>,
  config: HttpConfig,
  id: string,
  known: Pick<Content, 'title' | 'metadata'>,
): Promise<Content | null> {
  const address = addressOf(config, withId(config.content.path ?? '', id))
  const headers = { accept: '*/*', ...config.headers }
  const response = await http.send(address.href, { headers, timeoutMs: fileTimeoutMs }).catch(nullIfMissing)
  if (response === null) return null
  const stated = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const body = new Uint8Array(await response.arrayBuffer())
  const mediaType = stated ?? 'application/octet-stream'
  // If the media type gives no ending, the name keeps the ending of the title or the id.
  return { body, fileName: fileNameOf(known.title ?? id, endings[mediaType] ?? null), mediaType, ...known }
}

function fileNameOf(name: string, ending: string | null): string {
  const plain =
    name
      .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
      .slice(0, 100)
      .trim() || 'item'
  return ending === null || plain.toLowerCase().endsWith(`.${ending}`) ? plain : `${plain}.${ending}`
}
