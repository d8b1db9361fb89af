/** Files that pages link to, and the file names of documents. */

/** The media types of files that can hold text, with the endings that their names get. */
const documentEndings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
}

export const isDocument = (mediaType: string): boolean => Object.hasOwn(documentEndings, mediaType)

/** A guess from the address alone. The reply may be something else. */
export function looksLikeFile(address: string): boolean {
  const name = new URL(address).pathname.toLowerCase()
  return Object.values(documentEndings).some(ending => name.endsWith(`.${ending}`))
}

/** The last name of an address, with the ending of the media type. */
export function fileNameOf(address: string, mediaType: string | null): string {
  const { pathname, search, hostname } = new URL(address)
  const name = decoded(pathname).split('/').filter(Boolean).at(-1) ?? hostname
  const plain = `${name}${decoded(search)}`.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100)
  const ending = mediaType === null ? 'md' : (documentEndings[mediaType] ?? 'txt')
  return plain.toLowerCase().endsWith(`.${ending}`)
    ? plain
    : `${plain.replace(/\.(html?|php|aspx?)$/i, '')}.${ending}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not every address is written in UTF-8. The undecoded text is good enough.
    return text
  }
}
