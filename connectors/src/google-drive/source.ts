/** Files of Google Drive as documents: Google's own documents in Office formats, other files unchanged. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Context, ItemMetadata, Source } from '../connector.ts'
import { type Http, HttpFailure } from '../http.ts'
import { listChangesSince } from './changes.ts'
import {
  download,
  exportAs,
  type FileDetails,
  findFile,
  listPermissions,
  type Permission,
  reasonOf,
} from './drive-api.ts'
import { type Export, exportsOf } from './formats.ts'
import { listEverything } from './listing.ts'
import type { DriveConfig } from './settings.ts'

const maxFileMegabytes = 500

export const source: Source<DriveConfig> = {
  removals: 'told',
  list: (context, { since, page }) =>
    since === null ? listEverything(context, page) : listChangesSince(context, since, page),
  fetch: fetchFile,
}

async function fetchFile({ http }: Context<DriveConfig>, { id }: { id: string }): Promise<Content | null> {
  const file = await findFile(http, id)
  if (file === null || file.trashed === true) return null
  const ways = exportsOf(file.mimeType)
  const metadata = await metadataOf(http, file)
  const content = await (ways === null ? readStored(http, file) : readExport(http, file, ways)).catch(
    (error: unknown) => {
      throw explained(error, file)
    },
  )
  return { ...content, title: file.name, metadata }
}

type Body = Pick<Content, 'body' | 'fileName' | 'mediaType'>

async function readStored(http: Http, file: FileDetails): Promise<Body> {
  const maxBytes = maxFileMegabytes * 1_024 * 1_024
  if (Number(file.size ?? 0) > maxBytes) throw new Error(`The file is larger than ${maxFileMegabytes} MB`)
  const response = await download(http, file.id, maxBytes)
  return { body: response.body ?? '', fileName: fileNameOf(file.name, ''), mediaType: file.mimeType }
}

/** Tries one format after another, as long as Google says that the file is too large for the format. */
async function readExport(
  http: Http,
  file: FileDetails,
  [first, ...others]: readonly [Export, ...Export[]],
): Promise<Body> {
  try {
    const response = await exportAs(http, file.id, first.mediaType)
    return {
      body: response.body ?? '',
      fileName: fileNameOf(file.name, first.extension),
      mediaType: first.mediaType,
    }
  } catch (error) {
    const [next, ...rest] = others
    const isTooLarge = error instanceof HttpFailure && reasonOf(error) === 'exportSizeLimitExceeded'
    if (!isTooLarge || next === undefined) throw error
    return await readExport(http, file, [next, ...rest])
  }
}

const explanations: Readonly<Record<string, string>> = {
  exportSizeLimitExceeded: 'Google exports at most 10 MB',
  cannotDownloadFile: 'Its owner does not let this account download it',
  cannotExportFile: 'Its owner does not let this account download it',
  cannotDownloadAbusiveFile: 'Google takes it for malware or spam, and only its owner can download it',
  fileNotDownloadable: 'Google has no file for it that could be downloaded',
}

function explained(error: unknown, { name }: FileDetails): unknown {
  if (!(error instanceof HttpFailure)) return error
  const why = explanations[reasonOf(error)]
  const { kind, status, body } = error
  if (why === undefined || kind === 'rate_limited') return error
  return new HttpFailure(
    kind,
    `${name}: ${why}`,
    withoutUndefined({ status: status ?? undefined, body, cause: error }),
  )
}

async function metadataOf(http: Http, file: FileDetails): Promise<ItemMetadata> {
  const permissions = file.permissions ?? (await listPermissions(http, file.id))
  const person = file.owners?.[0] ?? file.lastModifyingUser
  const author = person?.emailAddress ?? person?.displayName
  return withoutUndefined<ItemMetadata>({
    url: file.webViewLink,
    author,
    createdAt: file.createdTime,
    updatedAt: file.modifiedTime,
    readers: permissions !== null ? readersOf(permissions) : undefined,
  })
}

function readersOf(permissions: readonly Permission[]): string[] {
  const readers = permissions.flatMap(({ type, emailAddress, domain, deleted }) => {
    if (deleted === true) return []
    if (type === 'anyone') return ['everyone']
    if (type === 'domain') return domain === undefined ? [] : [`domain:${domain.toLowerCase()}`]
    return emailAddress === undefined ? [] : [`${type}:${emailAddress.toLowerCase()}`]
  })
  return [...new Set(readers)].sort()
}

/** Names of files in a drive may contain anything. */
function fileNameOf(name: string, extension: string): string {
  const plain = name.replace(/[\\/\p{Cc}]/gu, '-').slice(0, 150)
  return plain.toLowerCase().endsWith(extension) ? plain : `${plain}${extension}`
}
