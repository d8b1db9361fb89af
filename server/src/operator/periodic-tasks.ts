/** What the doctor says of the server's periodic tasks: how each goes, and which has not gone well for long. */

import { hourMs, minuteMs, secondMs } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { isDataFolderLocked } from '../platform/database/server-lock.ts'
import { livingNodes } from '../platform/nodes.ts'
import { isLate } from '../platform/schedules/schedules.ts'
import { readTasks, type TaskState } from '../platform/schedules/schedules-store.ts'
import type { Settings } from '../settings/settings.ts'

/** One line of the table, and one object of `--json`. */
export type PeriodicTask = {
  name: string
  /** Role and machine of the server that runs it for itself; null if one server runs it for all of them. */
  server: string | null
  everySeconds: number
  succeededSecondsAgo: number | null
  durationMs: number | null
  failures: number
  error: string | null
  /** Null while all is well. */
  fault: string | null
}

const failuresToReport = 3
const faultsListed = 5
const shownErrorLength = 100

/** `faults` is null if there are none. */
export async function examineTasks(settings: Settings, database: Database) {
  const servers = await runningServers(settings, database)
  const states = await readTasks(database)
  // What a server wrote that has ended says nothing about those that run.
  const known = states.filter(({ server }) => server === null || servers.nameOf(server) !== null)
  const runningMs = Math.max(
    0,
    ...known.flatMap(state => (state.server === null ? [] : [state.registeredAgoMs])),
  )
  const tasks = known.map(state => taskOf(state, servers, runningMs))
  const failing = tasks.filter(({ fault }) => fault !== null)
  const listed = failing.slice(0, faultsListed).map(({ name, fault }) => `"${name}" ${fault}`)
  const more =
    failing.length > faultsListed ? [`and ${failing.length - faultsListed} more, marked by ! below`] : []
  return {
    tasks,
    summary: servers.isAny
      ? `${tasks.length} periodic tasks, none late or failing`
      : 'no server runs: periodic tasks wait for one',
    faults: failing.length === 0 ? null : `${[...listed, ...more].join('; ')}. ${advice}`,
  }
}

const advice =
  'Look for the warnings "A periodic task failed" in the log of the servers and remove their cause; the next round comes by itself. A task that fails at nothing and does not succeed hangs, or no server with ATRIUM_ROLE all or worker runs: start one again'

type RunningServers = {
  isAny: boolean
  /** Role and machine of a server that runs; null of one that does not. */
  nameOf(server: string): string | null
}

async function runningServers(settings: Settings, { engine, read }: Database): Promise<RunningServers> {
  if (engine === 'sqlite') {
    const isAny = isDataFolderLocked(settings.dataDir)
    return { isAny, nameOf: () => (isAny ? 'this machine' : null) }
  }
  const names = new Map((await livingNodes(read)).map(({ id, role, host }) => [id, `${role} on ${host}`]))
  return { isAny: names.size > 0, nameOf: server => names.get(server) ?? null }
}

function taskOf(state: TaskState, servers: RunningServers, runningMs: number): PeriodicTask {
  const { name, server, everyMs, succeededAgoMs, durationMs, failures, error } = state
  return {
    name,
    server: server === null ? null : servers.nameOf(server),
    everySeconds: everyMs / secondMs,
    succeededSecondsAgo: succeededAgoMs === null ? null : Math.round(succeededAgoMs / secondMs),
    durationMs,
    failures,
    error,
    fault: faultOf(state, servers.isAny ? runningMs : 0),
  }
}

/** `runningMs`: how long a server has been there that could have run the task; one that starts has all its time before it. */
function faultOf(state: TaskState, runningMs: number): string | null {
  const { everyMs, registeredAgoMs, succeededAgoMs, failedAgoMs, failures, error } = state
  if (failures >= failuresToReport) {
    return `failed ${failures} times in a row, last ${ageOf(failedAgoMs)} ago: ${error}`
  }
  const withoutSuccessMs = Math.min(succeededAgoMs ?? registeredAgoMs, registeredAgoMs, runningMs)
  if (!isLate(everyMs, withoutSuccessMs)) return null
  const last = succeededAgoMs === null ? 'has never succeeded' : `last succeeded ${ageOf(succeededAgoMs)} ago`
  return `${last}, although its turn comes every ${ageOf(everyMs)}${error === null ? '' : `: ${error}`}`
}

/** A table for people. */
export function taskLines(tasks: readonly PeriodicTask[]): string[] {
  if (tasks.length === 0) return []
  const head = ['  PERIODIC TASK', 'EVERY', 'LAST SUCCESS', 'TOOK', 'SERVER', 'FAILURES SINCE']
  const rows = tasks.map(task => [
    `${task.fault === null ? ' ' : '!'} ${task.name}`,
    ageOf(task.everySeconds * secondMs),
    task.succeededSecondsAgo === null ? 'none yet' : `${ageOf(task.succeededSecondsAgo * secondMs)} ago`,
    task.durationMs === null ? '' : `${task.durationMs} ms`,
    task.server ?? 'one for all',
    task.error === null ? '0' : `${task.failures}: ${task.error.slice(0, shownErrorLength)}`,
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map(cells => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return ['', ...[head, ...rows].map(line)]
}

function ageOf(ms: number | null): string {
  if (ms === null) return 'some time'
  if (ms < 2 * minuteMs) return `${Math.round(ms / secondMs)} s`
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} min`
  return `${Math.round(ms / hourMs)} h`
}
