/**
 * The container of a process that reads strangers' files: stages that the kernel holds, around Node's own permissions.
 */
import { chownSync, existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the kernel can hold. Each stage is worth something without the later ones. */
export const stages = ['writing', 'privileges', 'namespaces', 'files', 'user'] as const
export type Stage = (typeof stages)[number]
export type Stages = ReadonlySet<Stage>

/** What a process without the stage could do, if it is taken over by a file, and what the machine lacks. */
export const lacks: Readonly<Record<Stage, { danger: string; remedy: string }>> = {
  writing: { danger: 'could write files', remedy: 'install /bin/sh' },
  privileges: { danger: "keeps the server's privileges", remedy: 'install setpriv (util-linux)' },
  namespaces: {
    danger: 'reaches the network and the processes of this machine',
    remedy:
      'install unshare (util-linux) and allow user namespaces: user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns; in a container its seccomp profile',
  },
  files: {
    danger: "sees the files that the server's user may read",
    remedy: 'install mount (util-linux) and allow mounts in a namespace; in a container also of /proc',
  },
  user: {
    danger: "runs as the server's user",
    remedy: "let other users read Atrium's folder and Node, or do not run the server as root",
  },
}

const isRoot = process.getuid?.() === 0

/** The stages that this kind of system and user could have. A namespace of users stands for the other user. */
export const stagesHere: readonly Stage[] =
  process.platform !== 'linux' ? [] : stages.filter(stage => stage !== 'user' || isRoot)

/** Neither people nor services have a number between those that systemd gives to each. */
export const otherUser = 60_600

export type Owner = { uid: number; gid: number }

/** The user of the process; null if it is the server's. */
export const ownerOf = (has: Stages): Owner | null =>
  has.has('user') ? { uid: otherUser, gid: otherUser } : null

/** A file or folder that the container shows, at the place that it has on this machine unless `at` names another. */
export type Shown = { path: string; at?: string; mayRun?: boolean }

type Enclosed = {
  has: Stages
  /** A folder for the container's own use. */
  scratch: string
  /** All that the process sees, if its container has `files`. Nothing of it can be written to. */
  shown: readonly Shown[]
}

/** The command that runs a command within the container. */
export function enclose({ has, scratch, shown }: Enclosed, command: readonly string[]): readonly string[] {
  if (!has.has('files')) return chain(has, { quiet: true }, command)
  const root = join(scratch, 'root')
  const owner = ownerOf(has)
  makeFolder(root, owner)
  const mounts = [`${escaped(root)} ${escaped(root)} none bind,ro,nosuid,nodev,noexec`]
  for (const { path, at = path, mayRun = false } of withoutRepeats([...shown, ...ownNeeds(has)])) {
    makePlace(root, at, statSync(path).isDirectory(), owner)
    const options = `bind,ro,nosuid,nodev${mayRun ? '' : ',noexec'}`
    mounts.push(`${escaped(path)} ${escaped(join(root, at))} none ${options}`)
  }
  makePlace(root, '/proc', true, owner)
  mounts.push(`container ${escaped(join(root, 'proc'))} proc nosuid,nodev,noexec`)
  return chain(has, { quiet: true, mounts: writeMounts(scratch, mounts), root }, command)
}

/** Folders before what lies in them; what a folder with the same rights shows is not shown twice. */
function withoutRepeats(shown: readonly Shown[]): Shown[] {
  const kept: Shown[] = []
  for (const one of shown.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const isWithin = ({ path, at, mayRun }: Shown): boolean =>
      at === undefined &&
      mayRun === one.mayRun &&
      (one.path === path || one.path.startsWith(`${path}/`)) &&
      one.at === undefined
    if (!kept.some(isWithin)) kept.push(one)
  }
  return kept
}

export type ProgramView = {
  has: Stages
  /** The program's own folder. */
  folder: string
  /** Where it begins: the same folder, or one in it. */
  workIn: string
  /** The program sees its own folder in the place of this one. */
  hides: string
  reachesNetwork: boolean
}

/** Where the program in the container finds a path within its own folder. */
export const withinContainer = ({ has, folder, hides }: Omit<ProgramView, 'workIn'>, path: string): string =>
  has.has('files') ? join(hides, relative(folder, path)) : path

/**
 * For the operator's programs. They need the machine's programs and files, and run as the server's user, whose
 * folders they may lie in.
 */
export function encloseProgram(view: ProgramView, command: readonly string[]): readonly string[] {
  const { folder, workIn, hides, reachesNetwork } = view
  const has = new Set(view.has)
  has.delete('user')
  if (!has.has('files')) return chain(has, { reachesNetwork }, command)
  const mounts = [
    `${escaped(folder)} ${escaped(hides)} none bind,nosuid,nodev`,
    // Under another name than that of the machine's own: mount(8) leaves out what it takes for mounted.
    'container /proc proc nosuid,nodev,noexec',
  ]
  const links = { reachesNetwork, mounts: writeMounts(folder, mounts) }
  return chain(has, { ...links, workIn: withinContainer(view, workIn) }, command)
}

function writeMounts(folder: string, mounts: readonly string[]): string {
  const file = join(folder, 'mounts')
  writeFileSync(file, `${mounts.join('\n')}\n`)
  return file
}

const firstProcess = fileURLToPath(new URL('./container.sh', import.meta.url))

/**
 * A service manager signals every process; the server lets its documents end, so only its end ends these. No file may
 * grow, and a crash leaves no copy of the document.
 */
const quietly = ['sh', '-c', 'trap "" HUP INT TERM; ulimit -c 0; ulimit -f 0; exec "$@"', 'sh']

type Links = { quiet?: boolean; reachesNetwork?: boolean; mounts?: string; root?: string; workIn?: string }

function chain(
  has: Stages,
  { quiet = false, reachesNetwork = false, mounts = '', root = '', workIn = '' }: Links,
  command: readonly string[],
): readonly string[] {
  const owner = ownerOf(has)
  const [areSmall, areApart] = [has.has('privileges'), has.has('namespaces')]
  return [
    ...(quiet && has.has('writing') ? quietly : []),
    // The container ends with the server, even if the server is killed.
    ...(areApart && areSmall ? ['setpriv', '--pdeathsig=KILL'] : []),
    ...(areApart ? ['unshare', '--pid', '--ipc', '--uts', '--fork', '--kill-child'] : []),
    ...(areApart && !isRoot ? ['--user', '--map-root-user'] : []),
    ...(areApart && !reachesNetwork ? ['--net'] : []),
    ...(areApart && has.has('files') ? ['--mount'] : []),
    ...(areApart ? ['sh', firstProcess, mounts, root, workIn] : []),
    ...(areSmall ? ['setpriv', '--no-new-privs', '--inh-caps=-all'] : []),
    // Only a process that has privileges can give them away for good.
    ...(areSmall && (isRoot || areApart) ? ['--bounding-set=-all'] : []),
    ...(areSmall && owner !== null ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : []),
    ...command,
  ]
}

/** The tools for the stages come with the system. Elsewhere they would not be the system's. */
export const toolPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What the container's own tools and Node need. */
function ownNeeds(has: Stages): readonly Shown[] {
  const libraries = [...libraryFolders()].map(path => ({ path, mayRun: true }))
  return has.has('privileges') ? [...libraries, { path: toolOf('setpriv'), mayRun: true }] : libraries
}

function toolOf(name: string): string {
  const found = toolPath
    .split(':')
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}

let folders: ReadonlySet<string> | null = null

/** The folders of the libraries of this Node, under the names by which they are looked for, and their real names. */
function libraryFolders(): ReadonlySet<string> {
  folders ??= findLibraryFolders()
  return folders
}

function findLibraryFolders(): Set<string> {
  const named = loadedLibraries().map(dirname)
  return new Set([...named, ...named.map(path => realpathSync(path))])
}

/** The system's libraries of this Node. */
export function loadedLibraries(): string[] {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  return sharedObjects.filter(path => /\.so(\.|$)/.test(basename(path)) && existsSync(path))
}

/** In a table of mounts a space ends a word, and a backslash begins the number of a character. */
const escaped = (path: string): string =>
  path.replace(/[\s\\#]/g, found => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`)

function makePlace(root: string, at: string, isFolder: boolean, owner: Owner | null): void {
  let place = root
  for (const part of (isFolder ? at : dirname(at)).split('/').filter(Boolean)) {
    place = join(place, part)
    makeFolder(place, owner)
  }
  // What is mounted there has its own owner.
  if (!isFolder) writeFileSync(join(root, at), '')
}

function makeFolder(path: string, owner: Owner | null): void {
  if (existsSync(path)) return
  mkdirSync(path, { mode: 0o700 })
  if (owner !== null) chownSync(path, owner.uid, owner.gid)
}
