/** The header Upload-Metadata, read: what the document is to get, with every fault under the name of its key. */
import { faultOfName, safeName } from '../../../platform/blobs/file-name.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { jsonFault } from '../../../platform/text/json-fault.ts'
import { nearestName } from '../../../platform/text/nearest-name.ts'

const known = ['filename', 'filetype', 'collectionId', 'externalId', 'title', 'metadata']
const header = 'Upload-Metadata'

export type UploadMetadata = {
  name: string
  mediaType: string
  /** As the text parts of an upload; not yet validated. */
  fields: Record<string, unknown>
}

/** Throws `validation_failed` for what is no such header, and for keys that mean nothing here. */
export function parseUploadMetadata(text: string): UploadMetadata {
  const errors: FieldError[] = []
  const values = new Map<string, string>()
  for (const pair of text.split(',').map(part => part.trim())) {
    const [key = '', encoded = '', ...rest] = pair.split(' ')
    const fault = faultOf(key, encoded, rest.length, values)
    if (fault === null) values.set(key, Buffer.from(encoded, 'base64').toString('utf8'))
    else errors.push({ field: key === '' ? header : `${header}.${key}`, message: fault })
  }
  const path = values.get('filename') ?? ''
  const fault = baseName(path) === '' ? 'must be a file name of 1 to 255 characters' : faultOfName(path)
  if (fault !== null) errors.push({ field: `${header}.filename`, message: fault })
  const metadata = parseJson(values.get('metadata'), errors)
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  const given = ['collectionId', 'externalId', 'title'].filter(key => values.has(key))
  const fields: Record<string, unknown> = Object.fromEntries(given.map(key => [key, values.get(key)]))
  if (metadata !== undefined) fields.metadata = metadata
  return { name: safeName(path), mediaType: values.get('filetype')?.slice(0, 200) ?? '', fields }
}

/** Puts the header's name before the fields that the validation of its values blames. */
export async function blamingHeader(validate: () => Promise<void>): Promise<void> {
  try {
    await validate()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors.length === 0) throw error
    const errors = error.errors.map(fault => ({ ...fault, field: `${header}.${fault.field}` }))
    throw new ServiceError(error.code, error.message, { errors, cause: error })
  }
}

function faultOf(
  key: string,
  encoded: string,
  superfluous: number,
  values: ReadonlyMap<string, string>,
): string | null {
  if (key === '') return 'must be pairs of a key and a Base64 value, parted by commas'
  if (!known.includes(key)) {
    const nearest = nearestName(key, known)
    return nearest === null ? 'is not a known key' : `is not a known key; did you mean \`${nearest}\`?`
  }
  if (values.has(key)) return 'must be sent only once'
  if (superfluous > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return 'must be Base64'
  return null
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

function parseJson(text: string | undefined, errors: FieldError[]): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    errors.push({
      field: `${header}.metadata`,
      message: `must be valid JSON, such as {"department":"people"}: ${jsonFault(text)}`,
    })
    return undefined
  }
}
