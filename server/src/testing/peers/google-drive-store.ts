/** What the Drive peer holds: files, shared drives, and a change log for each, as Google keeps them. */

export type StoredPermission = {
  id: string
  type: 'user' | 'group' | 'domain' | 'anyone'
  role: 'owner' | 'organizer' | 'writer' | 'reader'
  emailAddress?: string
  domain?: string
  deleted?: boolean
}

export type StoredFile = {
  id: string
  name: string
  mimeType: string
  parents: string[]
  driveId: string | null
  trashed: boolean
  createdTime: string
  modifiedTime: string
  content: string | Uint8Array
  /** What it is exported as, by media type; null if that is larger than Google exports. */
  exports: Record<string, string | Uint8Array | null>
  permissions: StoredPermission[]
  /** The account is in the drive's files without being a member, or has opened it there. */
  isInUserCorpus: boolean
  canDownload: boolean
  shortcutTo: string | null
}

export type NewFile = Partial<Omit<StoredFile, 'parents'>> & { name: string; parent?: string | undefined }

export type LogEntry = { changeType: 'file' | 'drive'; id: string }

const folderType = 'application/vnd.google-apps.folder'
const owner: StoredPermission = {
  id: '09876',
  type: 'user',
  role: 'owner',
  emailAddress: 'ada@example.com',
}

export type DriveStore = ReturnType<typeof createDriveStore>

export function createDriveStore() {
  const files = new Map<string, StoredFile>()
  const drives = new Set<string>()
  const logs = new Map<string, LogEntry[]>([['user', []]])
  const rootId = '0AJ-MyDriveRootFolder'
  let lastId = 0
  let lastSecond = 0
  const now = () => new Date(Date.UTC(2026, 0, 1) + ++lastSecond * 1_000).toISOString()
  const newId = () => `1File-${String(++lastId).padStart(4, '0')}_aBcDeFgHiJkLmNoPqRsT`

  /** Whatever log tells of the file: its drive's, and the account's own where it is in the account's corpus. */
  const logChange = (file: Pick<StoredFile, 'id' | 'driveId' | 'isInUserCorpus'>) => {
    if (file.driveId !== null) logs.get(file.driveId)?.push({ changeType: 'file', id: file.id })
    if (file.driveId === null || file.isInUserCorpus)
      logs.get('user')?.push({ changeType: 'file', id: file.id })
  }
  const find = (id: string): StoredFile => {
    const file = files.get(id === 'root' ? rootId : id)
    if (file === undefined) throw new Error(`The peer has no file ${id}`)
    return file
  }
  const below = (id: string): StoredFile[] =>
    [...files.values()].filter(file => file.parents.includes(id)).flatMap(file => [file, ...below(file.id)])

  const put = ({ parent = rootId, ...given }: NewFile): string => {
    const id = given.id ?? newId()
    const at = now()
    const file: StoredFile = {
      id,
      mimeType: 'text/plain',
      parents: id === rootId || drives.has(id) ? [] : [parent],
      driveId: files.get(parent)?.driveId ?? null,
      trashed: false,
      createdTime: at,
      modifiedTime: at,
      content: '',
      exports: {},
      permissions: [owner],
      isInUserCorpus: false,
      canDownload: true,
      shortcutTo: null,
      ...given,
    }
    files.set(id, file)
    logChange(file)
    return id
  }
  put({ id: rootId, name: 'My Drive', mimeType: folderType })

  return {
    files,
    drives,
    logs,
    rootId,
    put,
    putFolder: (name: string, parent?: string): string => put({ name, mimeType: folderType, parent }),
    /** A file of Google's own kind: `document`, `spreadsheet`, `presentation`. */
    putGoogleFile: (kind: string, file: NewFile): string =>
      put({ mimeType: `application/vnd.google-apps.${kind}`, ...file }),
    putShortcut: (to: string, parent: string): string =>
      put({
        name: `Shortcut to ${find(to).name}`,
        mimeType: 'application/vnd.google-apps.shortcut',
        shortcutTo: to,
        parent,
      }),
    /** A shared drive; its top folder has its id. */
    addDrive(id: string): string {
      drives.add(id)
      logs.set(id, [])
      put({ id, name: 'Drive', mimeType: folderType, driveId: id, permissions: [] })
      logs.get('user')?.push({ changeType: 'drive', id })
      return id
    },
    /** The account leaves the drive. */
    leaveDrive(id: string): void {
      drives.delete(id)
      logs.delete(id)
      for (const file of [...files.values()]) if (file.driveId === id) files.delete(file.id)
      logs.get('user')?.push({ changeType: 'drive', id })
    },
    edit(id: string, change: Partial<StoredFile>): void {
      const file = find(id)
      // What is shared or renamed keeps the time of its last change, and is told of all the same.
      const isContent = change.content !== undefined || change.exports !== undefined
      Object.assign(file, change, isContent ? { modifiedTime: now() } : {})
      logChange(file)
    },
    /** Leaves one log for another one, which tells of it from then on. */
    moveToDrive(id: string, driveId: string): void {
      const file = find(id)
      logChange(file)
      Object.assign(file, { driveId, parents: [driveId], permissions: [], isInUserCorpus: false })
      logChange(file)
    },
    /** All within a folder is in the trash with it, and no log says so. */
    trash(id: string): void {
      const file = find(id)
      for (const each of [file, ...below(id)]) each.trashed = true
      logChange(file)
    },
    erase(id: string): void {
      const file = find(id)
      for (const each of [file, ...below(id)]) files.delete(each.id)
      logChange(file)
    },
  }
}
