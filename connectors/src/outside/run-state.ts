/**
 * What a run remembers for the next one: a JSON file that is replaced as a whole. Only one run at a time holds it.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Item } from '../connector.ts'

export type RunState = {
  connectorId: string
  collectionId: string
  /** The config as JSON. If it changes, everything is listed again. */
  config: string
  since: string | null
  lastFullAt: number
  /** The items in the collection, by item id. */
  items: Record<string, { version: string; sha256: string }>
  /** Items that could not be taken over. Each run tries them again. */
  failed: Record<string, Item>
}

/** The file holds no state, belongs to another connector or collection, or another run holds it. */
export class RunStateError extends Error {
  override readonly name = 'RunStateError'
}

export type KeptState = {
  state: RunState
  save(): Promise<void>
  /** Lets the next run take the file. */
  release(): Promise<void>
}

type Terms = Pick<RunState, 'connectorId' | 'config'> & {
  /**
   * A function if the collection does not exist yet. It is called only if nothing stands in the way, not even a state
   * file.
   */
  collectionId: string | (() => Promise<string>)
}

/** Takes the file for this process, with a new state if the file does not exist. Throws `RunStateError`. */
export async function openRunState(file: string, terms: Terms): Promise<KeptState> {
  const lock = `${file}.lock`
  await takeLock(lock)
  const release = () => rm(lock, { force: true })
  try {
    const state = await readState(file, terms)
    const save = async () => {
      const unfinished = `${file}.part`
      await writeFile(unfinished, JSON.stringify(state), { mode: 0o600 })
      await rename(unfinished, file)
    }
    return { state, save, release }
  } catch (error) {
    await release()
    throw error
  }
}

const another = 'name another file with --state'

async function readState(file: string, { connectorId, collectionId: wanted, config }: Terms) {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) {
    const collectionId = typeof wanted === 'string' ? wanted : await wanted()
    return { connectorId, collectionId, config, since: null, lastFullAt: 0, items: {}, failed: {} }
  }
  const known = parseState(file, text)
  if (known.connectorId !== connectorId || known.collectionId !== wanted) {
    throw new RunStateError(
      `${file} is of the connector ${known.connectorId} and the collection ${known.collectionId}; ${another}`,
    )
  }
  // With another config, `since` means nothing, so everything is listed again.
  return known.config === config ? known : { ...known, config, since: null }
}

function parseState(file: string, text: string): RunState {
  try {
    const state = JSON.parse(text) as RunState
    if (typeof state.items === 'object' && typeof state.failed === 'object') return state
  } catch {
    // Reported below: a file that is not JSON holds no state either.
  }
  throw new RunStateError(`${file} is no state of a connector's run; ${another}`)
}

/** A run that was killed leaves its lock behind. The lock names a process that no longer exists. */
async function takeLock(lock: string): Promise<void> {
  for (const isSecond of [false, true]) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => '0'))
    if (isSecond || isAlive(holder)) {
      throw new RunStateError(
        `Another run (process ${holder}) is at work with this state; wait until it ends`,
      )
    }
    await rm(lock, { force: true })
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false
  try {
    // Signal 0 only asks whether the process exists.
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
