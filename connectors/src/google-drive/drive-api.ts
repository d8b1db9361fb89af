/**
 * The calls of the Drive API that the connector makes, with the parameters that shared drives want.
 * https://developers.google.com/workspace/drive/api/reference/rest/v3
 */
import { fileTimeoutMs, type Http, HttpFailure, nullIfMissing } from '../http.ts'

export const api = 'https://www.googleapis.com'
const base = `${api}/drive/v3`

/** A file, a folder or a shortcut, as lists show it. */
export type DriveFile = {
  id: string
  name: string
  mimeType: string
  modifiedTime: string
  trashed?: boolean
  /** Not there for Google's own documents. */
  md5Checksum?: string
  /** Not there where the account may not see the folder. */
  parents?: string[]
  /** The shared drive that the file belongs to. */
  driveId?: string
  permissionIds?: string[]
  shortcutDetails?: { targetId: string; targetMimeType: string }
}

const fileFields =
  'id,name,mimeType,modifiedTime,trashed,md5Checksum,parents,driveId,permissionIds,shortcutDetails(targetId,targetMimeType)'

export type DriveUser = { displayName?: string; emailAddress?: string }
export type Permission = {
  type: 'user' | 'group' | 'domain' | 'anyone'
  emailAddress?: string
  domain?: string
  /** True if the account of the permission no longer exists. */
  deleted?: boolean
}

export type FileDetails = DriveFile & {
  createdTime: string
  webViewLink?: string
  /** In bytes; not there for Google's own documents. */
  size?: string
  /** Missing for files of a shared drive. */
  owners?: DriveUser[]
  lastModifyingUser?: DriveUser
  /** Given only if the account may share the file; missing for files of a shared drive. */
  permissions?: Permission[]
}

const permissionFields = 'type,emailAddress,domain,deleted'
const detailFields = `${fileFields},createdTime,webViewLink,size,owners(displayName,emailAddress),lastModifyingUser(displayName,emailAddress),permissions(${permissionFields})`

export type Change = {
  changeType: 'file' | 'drive'
  fileId?: string
  removed: boolean
  /** Missing if the account can no longer see the file. */
  file?: DriveFile
}
export type ChangePage = { changes: Change[]; nextPageToken?: string; newStartPageToken?: string }
type FilePage<File> = { files: File[]; nextPageToken?: string; incompleteSearch?: boolean }

/** The account's own files and those shared with it, or a shared drive by its id. */
export type Corpus = 'user' | (string & {})

const driveOf = (corpus: Corpus) => (corpus === 'user' ? undefined : corpus)

/** Throws if Google could not search everywhere. A file that such a list lacks is not gone. */
export async function listFiles(
  http: Http,
  corpus: Corpus,
  { q, pageToken }: { q: string; pageToken: string | null },
): Promise<FilePage<DriveFile>> {
  const page = await call<FilePage<DriveFile>>(http, 'files', {
    q,
    corpora: corpus === 'user' ? 'user' : 'drive',
    driveId: driveOf(corpus),
    includeItemsFromAllDrives: true,
    pageSize: 1_000,
    pageToken: pageToken ?? undefined,
    fields: `nextPageToken,incompleteSearch,files(${fileFields})`,
  })
  if (page.incompleteSearch) throw new HttpFailure('unavailable', 'Google Drive listed only a part')
  return page
}

/** The results of a search, the best first, from everywhere that the account can see. */
export async function searchFiles(http: Http, q: string, pageSize: number): Promise<FileDetails[]> {
  const { files } = await call<FilePage<FileDetails>>(http, 'files', {
    q,
    pageSize,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    fields: `files(${detailFields})`,
  })
  return files
}

/** Null if the file does not exist or the account may not see it. Google answers both alike. */
export const findFile = (http: Http, id: string): Promise<FileDetails | null> =>
  call<FileDetails>(http, `files/${encodeURIComponent(id)}`, { fields: detailFields }).catch(nullIfMissing)

export async function getStartPageToken(http: Http, corpus: Corpus): Promise<string> {
  const path = 'changes/startPageToken'
  const reply = await call<{ startPageToken: string }>(http, path, { driveId: driveOf(corpus) })
  return reply.startPageToken
}

export const listChanges = (
  http: Http,
  corpus: Corpus,
  { pageToken, pageSize }: { pageToken: string; pageSize: number },
): Promise<ChangePage> =>
  call(http, 'changes', {
    pageToken,
    pageSize,
    driveId: driveOf(corpus),
    includeItemsFromAllDrives: true,
    includeRemoved: true,
    // Tells a file that moved to another change log from a file that the account can no longer see.
    includeCorpusRemovals: true,
    fields: `nextPageToken,newStartPageToken,changes(changeType,fileId,removed,file(${fileFields}))`,
  })

/** The ids of the shared drives that the account is a member of, sorted. */
export async function listDrives(http: Http, limit: number): Promise<string[]> {
  const { drives, nextPageToken } = await http.json<{ drives: { id: string }[]; nextPageToken?: string }>(
    `${base}/drives`,
    { query: { pageSize: limit, fields: 'nextPageToken,drives(id)' }, isRateLimited },
  )
  if (nextPageToken !== undefined) {
    throw new Error(`The account is in more than ${limit} shared drives: name those to sync in folderIds`)
  }
  return drives.map(drive => drive.id).sort()
}

const maxPermissionPages = 10

/** Null if the account may not see who has access. */
export async function listPermissions(http: Http, id: string): Promise<Permission[] | null> {
  const permissions: Permission[] = []
  let pageToken: string | undefined
  try {
    for (let pages = 0; pages < maxPermissionPages; pages++) {
      const path = `files/${encodeURIComponent(id)}/permissions`
      const page = await call<{ permissions: Permission[]; nextPageToken?: string }>(http, path, {
        pageSize: 100,
        pageToken,
        fields: `nextPageToken,permissions(${permissionFields})`,
      })
      permissions.push(...page.permissions)
      pageToken = page.nextPageToken
      if (pageToken === undefined) break
    }
  } catch (error) {
    if (isRefusal(error, ['missing', 'forbidden'])) return null
    throw error
  }
  return permissions
}

export const download = (http: Http, id: string, maxBytes: number): Promise<Response> =>
  http.send(`${base}/files/${encodeURIComponent(id)}`, {
    query: { alt: 'media', supportsAllDrives: true },
    headers: { accept: '*/*' },
    maxBytes,
    timeoutMs: fileTimeoutMs,
    isRateLimited,
  })

/** Google exports at most 10 MB. */
export const exportAs = (http: Http, id: string, mimeType: string): Promise<Response> =>
  http.send(`${base}/files/${encodeURIComponent(id)}/export`, {
    query: { mimeType },
    headers: { accept: '*/*' },
    timeoutMs: fileTimeoutMs,
    isRateLimited,
  })

const call = <T>(
  http: Http,
  path: string,
  query: Record<string, string | number | boolean | undefined>,
): Promise<T> => http.json(`${base}/${path}`, { query: { supportsAllDrives: true, ...query }, isRateLimited })

export const isRefusal = (error: unknown, kinds: readonly HttpFailure['kind'][]): error is HttpFailure =>
  error instanceof HttpFailure && kinds.includes(error.kind)

/** Google's reason for a refusal: https://developers.google.com/workspace/drive/api/guides/handle-errors */
export const reasonOf = ({ body }: HttpFailure): string => /"reason":\s*"(\w+)"/.exec(body)?.[1] ?? ''

const rateReasons = ['userRateLimitExceeded', 'rateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded']

export const isRateLimited = (failure: HttpFailure): boolean =>
  failure.status === 403 && rateReasons.includes(reasonOf(failure))

/** Quotes a text for use in a search. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
