/** What a run remembers for the next one: a JSON file, replaced as a whole, in the hands of one run at a time. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Item } from '../connector.ts'

export type RunState = {
  connectorId: string
  collectionId: string
  /** The config as JSON: with another one, everything is listed again. */
  config: string
  since: string | null
  lastFullAt: number
  /** What is in the collection, by item id. */
  items: Record<string, { version: string; sha256: string }>
  /** What could not be taken over, tried again at each run. */
  failed: Record<string, Item>
}

/** The file is no state, or is of another connector or collection, or another run has it. */
export class RunStateError extends Error {
  override readonly name = 'RunStateError'
}

export type KeptState = {
  state: RunState
  save(): Promise<void>
  /** Lets the next run have it. */
  release(): Promise<void>
}

type Terms = Pick<RunState, 'connectorId' | 'config'> & {
  /** A function where the collection is yet to be made: called once nothing stands in the way, not even a state. */
  collectionId: string | (() => Promise<string>)
}

/** Takes the file for this process; a new state where there is none. Throws `RunStateError`. */
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
  // Another choice of what is kept in sync has another past.
  return known.config === config ? known : { ...known, config, since: null }
}

function parseState(file: string, text: string): RunState {
  try {
    const state = JSON.parse(text) as RunState
    if (typeof state.items === 'object' && typeof state.failed === 'object') return state
  } catch {
    // Told below: what is no JSON is no state either.
  }
  throw new RunStateError(`${file} is no state of a connector's run; ${another}`)
}

/** A run that was killed leaves its lock behind, with the id of a process that is no more. */
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
    // Signal 0 only asks.
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
