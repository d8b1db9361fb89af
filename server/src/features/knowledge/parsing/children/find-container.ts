/** Finds out, once, which stages of the container this machine offers: a child reads a file within it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../../../platform/log.ts'
import { ParseFailure } from '../failure.ts'
import { converse, memoryFlags, startChild } from './child-process.ts'
import { compileReaders } from './code.ts'
import { lacks, type Stage, type Stages, stagesHere } from './container.ts'

export type Missing = { stage: Stage; cause: string }
export type FoundContainer = { has: Stages; missing: readonly Missing[] }

export type ContainerOptions = {
  /** `off` leaves Node's own permissions alone. */
  mode: 'auto' | 'off'
  /** Stages that this machine is taken not to offer. */
  without?: readonly Stage[]
  /** Hears what the machine lacks. */
  log: Log | null
}

const found = new Map<string, Promise<FoundContainer>>()

/** A stage that the machine does not offer is left out, and named in a warning. */
export function findContainer(
  folder: string,
  { mode, without = [], log }: ContainerOptions,
): Promise<FoundContainer> {
  if (mode === 'off') return Promise.resolve({ has: new Set(), missing: [] })
  const key = without.join()
  const known = found.get(key)
  if (known !== undefined) return known
  const search = (async () => {
    await compileReaders(folder, memoryFlags)
    const result = await findStages(folder, new Set(without))
    for (const { stage, cause } of result.missing) log?.warn(warningOf(stage), { stage, cause })
    return result
  })()
  found.set(key, search)
  return search
}

export const warningOf = (stage: Stage): string =>
  `A process that reads files ${lacks[stage].danger}, if a file takes it over: ${lacks[stage].remedy}`

async function findStages(folder: string, without: ReadonlySet<Stage>): Promise<FoundContainer> {
  const wanted = stagesHere.filter(stage => !without.has(stage))
  const left = stagesHere.filter(stage => without.has(stage))
  const missing: Missing[] = left.map(stage => ({ stage, cause: 'left out' }))
  if (couldBe(new Set(wanted)) && (await fault(folder, new Set(wanted))) === null)
    return { has: new Set(wanted), missing }
  const has = new Set<Stage>()
  for (const stage of wanted) {
    const more = new Set([...has, stage])
    const cause = couldBe(more) ? await fault(folder, more) : 'needs an earlier stage'
    if (cause === null) has.add(stage)
    else missing.push({ stage, cause })
  }
  return { has, missing }
}

/** Mounts are made in a namespace, and by setpriv another user and the loss of what made them. */
const couldBe = (has: Stages): boolean =>
  (!has.has('files') || (has.has('namespaces') && has.has('privileges'))) &&
  (!has.has('user') || has.has('privileges'))

/** No PDF, but only the largest library can tell. */
const damaged = '%PDF-1.4\n'
const patienceMs = 20_000

/** Why a child cannot read a file in such a container; null if it can. */
async function fault(folder: string, has: Stages): Promise<string | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = mkdtempSync(join(folder, 'trial-'))
  const path = join(own, 'damaged.pdf')
  writeFileSync(path, damaged)
  try {
    const child = startChild(folder, has)
    const question = {
      path,
      name: path,
      processorMs: patienceMs,
      isFinal: true,
      maxInnerFiles: 0,
      recognition: null,
    }
    const ignored = { onProgress: () => undefined, onInnerFile: () => undefined }
    try {
      await converse(child, patienceMs).read({ ...question, ...ignored })
    } finally {
      child.kill(new Error('The trial is over'))
    }
    return null
  } catch (error) {
    if (error instanceof ParseFailure && error.code === 'corrupt') return null
    return (error as Error).message
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Throws what is missing, for a server that reads files in the whole container or not at all. */
export async function requireContainer(folder: string): Promise<void> {
  const { missing } = await findContainer(folder, { mode: 'auto', log: null })
  const [first] = missing
  if (first === undefined) return
  throw new Error(`ATRIUM_PARSER_CONTAINER is required, but ${warningOf(first.stage)} (${first.cause})`)
}
