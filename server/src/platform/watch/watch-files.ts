/**
 * The files of the watcher in the data folder. It writes them while the main thread is blocked or out of memory, and so
 * it can wait for no database.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '../clock.ts'
import { makeFolder } from '../private-files.ts'
import type { Work } from './works.ts'

/** Why a server ended, as far as the job of this lease is concerned. */
export type Verdict = { id: string; token: string; cause: 'blocked' | 'out_of_memory' | 'innocent' }

/** A time in which a server gave no answer. */
export type Block = {
  at: string
  /** Of the time when the line was written; the whole time once the server has gone on. */
  blockedMs: number
  /** Null if it is not known, or if it was no job and no request. */
  work: NamedWork | null
  /** What the server worked on, if it is not known which of it blocked. */
  among: NamedWork[]
  calls: string[]
  /** Whether the watcher ended the server. */
  isEnd: boolean
}

/** `name` is the queue of a job, and the operation of a request. */
export type NamedWork = { kind: Work['kind']; id: string; name: string }

/** What a server works on while its memory runs out. */
type LowMemory = Process & { works: readonly Work[] }

/** Tells whether the process that wrote a file still runs. */
type Process = { host: string; pid: number; startedAt: string }

export type WatchFiles = {
  writeVerdicts(verdicts: readonly Verdict[]): void
  writeLowMemory(works: readonly Work[]): void
  removeLowMemory(): void
  addBlock(block: Block): void
}

const mostBlocks = 20
const blocksFile = 'blocks.json'
const verdictsEnd = '.verdicts.json'
const memoryEnd = '.memory.json'

const folderOf = (dataDir: string): string => join(dataDir, 'watch')

/** `name` is of this process: several servers may have one data folder. */
export function createWatchFiles(dataDir: string, name: string): WatchFiles {
  const folder = folderOf(dataDir)
  const write = (file: string, content: unknown): void => {
    makeFolder(folder)
    const path = join(folder, file)
    const unfinished = join(folder, `${name}.unfinished`)
    writeFileSync(unfinished, JSON.stringify(content), { mode: 0o600 })
    renameSync(unfinished, path)
  }
  return {
    writeVerdicts: verdicts => write(`${name}${verdictsEnd}`, verdicts),
    writeLowMemory: works => write(`${name}${memoryEnd}`, { ...thisProcess(), works } satisfies LowMemory),
    removeLowMemory: () => rmSync(join(folder, `${name}${memoryEnd}`), { force: true }),
    addBlock: block => write(blocksFile, [...readBlocks(dataDir), block].slice(-mostBlocks)),
  }
}

/** The last blocks, the latest one last. */
export function readBlocks(dataDir: string): Block[] {
  const read = readJson(join(folderOf(dataDir), blocksFile))
  return Array.isArray(read) ? (read as Block[]) : []
}

/**
 * What the watchers of ended servers have left, and removes it once `take` has stored it. `isAlone`: no other server
 * runs on the data folder.
 */
export async function takeVerdicts(
  dataDir: string,
  isAlone: boolean,
  take: (verdicts: readonly Verdict[]) => Promise<void>,
): Promise<void> {
  const folder = folderOf(dataDir)
  const done: string[] = []
  const found: Verdict[] = []
  for (const name of listed(folder)) {
    const path = join(folder, name)
    if (name.endsWith(verdictsEnd)) found.push(...((readJson(path) ?? []) as Verdict[]))
    else if (!name.endsWith(memoryEnd)) continue
    else {
      const left = readJson(path) as LowMemory | null
      if (left !== null && !isAlone && mayRun(left) && !isOld(path)) continue
      if (left !== null) found.push(...verdictsOfLowMemory(left.works))
    }
    done.push(path)
  }
  if (found.length > 0) await take(found)
  for (const path of done) rmSync(path, { force: true })
}

/** Memory that several works share may be used up by any of them. */
function verdictsOfLowMemory(works: readonly Work[]): Verdict[] {
  const [only] = works
  if (only === undefined || works.length > 1 || only.kind !== 'job') return []
  return [{ id: only.id, token: only.token, cause: 'out_of_memory' }]
}

const listed = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Null if there is no such file, or if a crash of the machine has left it damaged. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

const isOld = (path: string): boolean => Date.now() - statSync(path).mtimeMs > dayMs

const thisProcess = (): Process => ({
  host: hostname(),
  pid: process.pid,
  startedAt: startOf(process.pid) ?? '',
})

/** A process on another machine may run. */
const mayRun = ({ host, pid, startedAt }: Process): boolean =>
  host !== hostname() || startOf(pid) === startedAt

/** When the process started, as the kernel counts; null if it does not run, or if the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
