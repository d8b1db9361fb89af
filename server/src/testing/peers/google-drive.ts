/** A peer that answers as the Drive API does, of a drive that the test fills, changes and empties. */
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { matcherOf, withFields } from './google-drive-query.ts'
import { createDriveStore, type DriveStore, type StoredFile } from './google-drive-store.ts'
import { type LoopbackPeer, type PeerReply, type PeerRequest, startLoopbackPeer } from './loopback-peer.ts'

export type DrivePeer = LoopbackPeer & {
  drive: DriveStore
  /** The only token that is accepted, unless a test says otherwise. */
  token: string
  accepts(token: string): boolean
  /** Google may give fewer rows than were asked for. */
  rowsPerPage: number
  /** May the account see who has access to what belongs to a shared drive? */
  mayListPermissions: boolean
  /** Makes every token that was given out before unknown, of pages and of change logs. */
  forgetTokens(): void
}

type Peer = DrivePeer & { generation: number }

/** Stops with the test. */
export async function startDrivePeer(t: TestContext): Promise<DrivePeer> {
  const loopback = await startLoopbackPeer(t, request => answer(peer, request))
  const peer: Peer = Object.assign(loopback, {
    drive: createDriveStore(),
    token: 'ya29.token',
    accepts: (token: string) => token === peer.token,
    rowsPerPage: 1_000,
    mayListPermissions: true,
    generation: 1,
    forgetTokens: () => {
      peer.generation += 1
    },
  })
  return peer
}

function answer(peer: Peer, request: PeerRequest): PeerReply {
  const { path, query, method } = request
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!peer.accepts(token)) return refusal(401, 'authError', 'Invalid Credentials')
  const [, resource = '', id = '', part = ''] =
    /^\/drive\/v3\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
  if (method !== 'GET') return refusal(404, 'notFound', 'Not Found')
  if (resource !== 'about' && resource !== 'drives' && part !== 'export' && !query.has('supportsAllDrives')) {
    return refusal(400, 'badRequest', 'The test wants supportsAllDrives everywhere')
  }
  const reply = route(peer, resource, decodeURIComponent(id), part, query)
  const fields = query.get('fields')
  if (reply.json === undefined || (reply.status ?? 200) >= 400) return reply
  if (fields === null && resource === 'about') return refusal(400, 'required', 'fields is required')
  return fields === null ? reply : { ...reply, json: withFields(reply.json, fields) }
}

function route(peer: Peer, resource: string, id: string, part: string, query: URLSearchParams): PeerReply {
  switch (resource) {
    case 'about':
      return about
    case 'drives':
      return listDrives(peer, query)
    case 'changes':
      return id === 'startPageToken' ? startPageToken(peer, query) : listChanges(peer, query)
    case 'files':
      return id === '' ? listFiles(peer, query) : readFile(peer, id, part, query)
    default:
      return refusal(404, 'notFound', 'Not Found')
  }
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/about */
const about: PeerReply = {
  json: {
    kind: 'drive#about',
    user: {
      kind: 'drive#user',
      displayName: 'Ada Lovelace',
      me: true,
      permissionId: '09876',
      emailAddress: 'ada@example.com',
    },
  },
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/drives/list */
function listDrives({ drive }: Peer, query: URLSearchParams): PeerReply {
  const wanted = Number(query.get('pageSize') ?? 10)
  const drives = [...drive.drives].map(id => ({ kind: 'drive#drive', id, name: `Drive ${id}` }))
  const isMore = drives.length > wanted
  return {
    json: {
      kind: 'drive#driveList',
      drives: drives.slice(0, wanted),
      nextPageToken: isMore ? 'more' : undefined,
    },
  }
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list */
function listFiles(peer: Peer, query: URLSearchParams): PeerReply {
  const { drive } = peer
  const matches = matcherOf(query.get('q') ?? '', drive.rootId)
  if (matches === null) return refusal(400, 'invalid', 'Invalid Value', 'q')
  const corpora = query.get('corpora') ?? 'user'
  const driveId = query.get('driveId')
  if ((corpora === 'drive') !== (driveId !== null)) {
    return refusal(400, 'invalid', 'driveId and corpora=drive belong together', 'driveId')
  }
  if (driveId !== null && !drive.drives.has(driveId)) return notFound(driveId, 'Shared drive')
  const isInCorpus = (file: StoredFile) => {
    if (corpora === 'allDrives') return true
    if (corpora === 'drive') return file.driveId === driveId
    return file.driveId === null || (file.isInUserCorpus && query.get('includeItemsFromAllDrives') === 'true')
  }
  const isTop = (file: StoredFile) => file.id === drive.rootId || file.id === file.driveId
  const found = [...drive.files.values()].filter(file => !isTop(file) && isInCorpus(file) && matches(file))
  const page = pageOf(peer, found, query)
  if (page === null) return refusal(400, 'invalid', 'Invalid Value', 'pageToken')
  return {
    json: {
      kind: 'drive#fileList',
      incompleteSearch: false,
      files: page.rows.map(file => resourceOf(peer, file)),
      nextPageToken: page.next ?? undefined,
    },
  }
}

function pageOf<Row>({ generation, rowsPerPage }: Peer, rows: Row[], query: URLSearchParams) {
  const token = query.get('pageToken')
  const [, made, start = ''] = /^~!!~(\d+)-(\d+)$/.exec(token ?? `~!!~${generation}-0`) ?? []
  if (Number(made) !== generation) return null
  const end = Number(start) + Math.min(Number(query.get('pageSize') ?? 100), rowsPerPage)
  return { rows: rows.slice(Number(start), end), next: end < rows.length ? `~!!~${generation}-${end}` : null }
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/changes/getStartPageToken */
function startPageToken({ drive, generation }: Peer, query: URLSearchParams): PeerReply {
  const corpus = query.get('driveId') ?? 'user'
  const log = drive.logs.get(corpus)
  if (log === undefined) return notFound(corpus, 'Shared drive')
  return { json: { kind: 'drive#startPageToken', startPageToken: `${generation}${pad(log.length)}` } }
}

const pad = (index: number): string => String(index).padStart(6, '0')

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/changes/list */
function listChanges(peer: Peer, query: URLSearchParams): PeerReply {
  const { drive, generation, rowsPerPage } = peer
  const corpus = query.get('driveId') ?? 'user'
  const log = drive.logs.get(corpus)
  if (log === undefined) return notFound(corpus, 'Shared drive')
  const token = query.get('pageToken') ?? ''
  if (!token.startsWith(String(generation))) return refusal(400, 'invalid', 'Invalid Value', 'pageToken')
  const start = Number(token.slice(String(generation).length))
  const end = start + Math.min(Number(query.get('pageSize') ?? 100), rowsPerPage)
  // A newer entry of the same thing takes the place of an older one.
  const rows = log
    .slice(start, end)
    .filter(({ id }, at) => !log.slice(start + at + 1).some(later => later.id === id))
  const changes = rows.map(({ changeType, id }) => {
    if (changeType === 'drive')
      return { kind: 'drive#change', changeType, driveId: id, removed: !drive.drives.has(id) }
    const file = drive.files.get(id)
    const isGone =
      file === undefined ||
      (corpus === 'user' ? file.driveId !== null && !file.isInUserCorpus : file.driveId !== corpus)
    return {
      kind: 'drive#change',
      changeType,
      type: 'file',
      fileId: id,
      removed: isGone,
      file:
        file !== undefined && (!isGone || query.get('includeCorpusRemovals') === 'true')
          ? resourceOf(peer, file)
          : undefined,
    }
  })
  const nextToken = `${generation}${pad(Math.min(end, log.length))}`
  const last = end >= log.length ? { newStartPageToken: nextToken } : { nextPageToken: nextToken }
  return { json: { kind: 'drive#changeList', changes, ...last } }
}

function readFile(peer: Peer, id: string, part: string, query: URLSearchParams): PeerReply {
  const file = peer.drive.files.get(id === 'root' ? peer.drive.rootId : id)
  if (file === undefined) return notFound(id, 'File')
  if (part === 'permissions') return listPermissions(peer, file)
  const isGoogles = file.mimeType.startsWith('application/vnd.google-apps.')
  if (part === 'export') {
    const mimeType = query.get('mimeType') ?? ''
    const content = file.exports[mimeType]
    if (!file.canDownload)
      return refusal(403, 'cannotExportFile', 'This file cannot be exported by the user.')
    if (content === null)
      return refusal(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.')
    if (content === undefined) return refusal(400, 'badRequest', 'The requested conversion is not supported.')
    return { headers: { 'content-type': mimeType }, body: content }
  }
  if (query.get('alt') !== 'media') return { json: resourceOf(peer, file) }
  if (isGoogles) {
    const why = 'Only files with binary content can be downloaded. Use Export with Docs Editors files.'
    return refusal(403, 'fileNotDownloadable', why)
  }
  if (!file.canDownload)
    return refusal(403, 'cannotDownloadFile', 'This file cannot be downloaded by the user.')
  return { headers: { 'content-type': file.mimeType }, body: file.content }
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/permissions/list */
function listPermissions({ mayListPermissions }: Peer, { permissions }: StoredFile): PeerReply {
  if (!mayListPermissions) {
    return refusal(
      403,
      'insufficientFilePermissions',
      'The user does not have sufficient permissions for this file.',
    )
  }
  return { json: { kind: 'drive#permissionList', permissions: permissions.map(shown) } }
}

const shown = (permission: StoredFile['permissions'][number]) => ({ kind: 'drive#permission', ...permission })

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files */
function resourceOf({ drive }: Peer, file: StoredFile) {
  const { id, name, mimeType, parents, driveId, trashed, createdTime, modifiedTime } = file
  const isGoogles = mimeType.startsWith('application/vnd.google-apps.')
  const person = { kind: 'drive#user', displayName: 'Ada Lovelace', emailAddress: 'ada@example.com' }
  const target = file.shortcutTo === null ? undefined : drive.files.get(file.shortcutTo)
  return {
    kind: 'drive#file',
    id,
    name,
    mimeType,
    trashed,
    createdTime,
    modifiedTime,
    starred: false,
    webViewLink: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
    lastModifyingUser: person,
    parents: parents.length > 0 ? parents : undefined,
    permissionIds: file.permissions.map(permission => permission.id),
    owners: driveId === null ? [person] : undefined,
    permissions: driveId === null ? file.permissions.map(shown) : undefined,
    driveId: driveId ?? undefined,
    size: isGoogles ? undefined : String(Buffer.byteLength(file.content)),
    md5Checksum: isGoogles ? undefined : createHash('md5').update(file.content).digest('hex'),
    shortcutDetails:
      file.shortcutTo !== null
        ? { targetId: file.shortcutTo, targetMimeType: target?.mimeType ?? 'text/plain' }
        : undefined,
  }
}

const notFound = (id: string, what: string): PeerReply =>
  refusal(404, 'notFound', `${what} not found: ${id}.`, 'fileId')

/** https://developers.google.com/workspace/drive/api/guides/handle-errors */
function refusal(status: number, reason: string, message: string, location?: string): PeerReply {
  const where = location === undefined ? {} : { locationType: 'parameter', location }
  return {
    status,
    json: { error: { errors: [{ domain: 'global', reason, message, ...where }], code: status, message } },
  }
}

/** What Google answers instead of 429, in most cases. */
export const userRateLimit: PeerReply = {
  status: 403,
  json: {
    error: {
      errors: [
        { domain: 'usageLimits', reason: 'userRateLimitExceeded', message: 'User Rate Limit Exceeded' },
      ],
      code: 403,
      message: 'User Rate Limit Exceeded',
    },
  },
}
