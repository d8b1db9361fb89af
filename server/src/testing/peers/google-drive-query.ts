/** The two little languages of the Drive API: which files a search wants, and which fields a reply has. */
import type { StoredFile } from './google-drive-store.ts'

/**
 * Terms joined by `and`; null if one is not understood.
 * https://developers.google.com/workspace/drive/api/guides/ref-search-terms
 */
export function matcherOf(q: string, rootId: string): ((file: StoredFile) => boolean) | null {
  const terms = [...q.matchAll(/(?:^| and )((?:'(?:[^'\\]|\\.)*'|[^'])+?)(?= and |$)/g)].map(
    ([, term = '']) => termOf(term, rootId),
  )
  const sound = terms.filter(term => term !== null)
  if (terms.length === 0 || sound.length < terms.length) return null
  return file => sound.every(term => term(file))
}

function termOf(term: string, rootId: string): ((file: StoredFile) => boolean) | null {
  const parent = /^'((?:[^'\\]|\\.)*)' in parents$/.exec(term)?.[1]
  if (parent !== undefined) {
    const id = plain(parent) === 'root' ? rootId : plain(parent)
    return file => file.parents.includes(id)
  }
  const [, field, operator, value] = /^(\w+) (=|!=|contains) (.+)$/.exec(term) ?? []
  const text = plain(/^'(.*)'$/.exec(value ?? '')?.[1] ?? '')
  if (field === 'mimeType' && operator === '=') return file => file.mimeType === text
  if (field === 'mimeType' && operator === '!=') return file => file.mimeType !== text
  if (field === 'trashed' && operator === '=') return file => String(file.trashed) === value
  if (field === 'fullText' && operator === 'contains') {
    const words = text.toLowerCase().split(/\s+/)
    return file => words.every(word => wholeText(file).includes(word))
  }
  return null
}

const plain = (text: string): string => text.replace(/\\(.)/g, '$1')

const wholeText = ({ name, content, exports }: StoredFile): string =>
  [name, content, ...Object.values(exports)]
    .map(part => (typeof part === 'string' ? part : Buffer.from(part ?? '').toString()))
    .join(' ')
    .toLowerCase()

/**
 * The parts of a reply that `fields` names, such as `nextPageToken,files(id,name)`.
 * https://developers.google.com/workspace/drive/api/guides/fields-parameter
 */
export function withFields(value: unknown, fields: string): unknown {
  if (Array.isArray(value)) return value.map(each => withFields(each, fields))
  if (typeof value !== 'object' || value === null) return value
  const wanted = new Map(
    [...fields.matchAll(/(\w+)(?:\(((?:[^()]|\([^()]*\))*)\))?/g)].map(([, name, inner]) => [name, inner]),
  )
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => wanted.has(name))
      .map(([name, part]) => {
        const inner = wanted.get(name)
        return [name, inner === undefined ? part : withFields(part, inner)]
      }),
  )
}
