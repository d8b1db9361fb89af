/**
 * The periodic tasks of a server. Each task runs by itself and never twice at once, and a task that fails stops no
 * other. The table `schedules` says how each task goes, for the operator's `doctor`.
 */
import { randomUUID } from 'node:crypto'
import { type Clock, hourMs, minuteMs, type Sleep } from '../clock.ts'
import type { Database, Tx } from '../database/database.ts'
import { type Log, withoutSecrets } from '../log.ts'
import { repeat } from './rounds.ts'
import {
  allServers,
  claimMs,
  claimRound,
  extendClaim,
  type Outcome,
  onlyServer,
  registerTasks,
  writeOutcome,
} from './schedules-store.ts'

export type Schedule = {
  /** The name in the log, the database and `doctor`. */
  name: string
  /** The time between two rounds, give or take a fifth. */
  everyMs: number
  /** Runs at the start too; otherwise the first round comes later. */
  atStart?: boolean
  /** `process`: every server runs the task for itself. `database`: one server of a database runs it for all. */
  scope: 'process' | 'database'
  /** One round, for a bounded number of records. It may return how many records there were, for the log. */
  run(): Promise<unknown>
}

/** Runs in every server that has the task: work that must go on does not wait for another server's turn. */
export const eachMinute = (name: string, run: Schedule['run']): Schedule => ({
  name,
  everyMs: minuteMs,
  scope: 'process',
  run,
})

/** Runs in one of the servers that share the database. */
export const eachHour = (name: string, run: Schedule['run']): Schedule => ({
  name,
  everyMs: hourMs,
  scope: 'database',
  run,
})

/** How many times in each period a server asks whether a task for all servers is due. */
const asksPerPeriod = 12
/**
 * A success is recorded after a failure or a start, and otherwise only this often. Tasks that succeed every minute
 * would be most of what an idle server writes. Failures are rare and counted, so each one is recorded.
 */
const successesEveryMs = 5 * minuteMs
const latePeriods = 3
const maxErrorLength = 500

/** Whether a task has been without a success for too long. The last success may not have been recorded. */
export const isLate = (everyMs: number, withoutSuccessMs: number): boolean =>
  withoutSuccessMs > latePeriods * everyMs + successesEveryMs

type ScheduleDependencies = {
  database: Database
  /** The id of this server among the servers on its database; null if it is the only one. */
  nodeId: string | null
  clock: Clock
  log: Log
  /** For the time between rounds; the real one unless given. */
  sleep?: Sleep
}

/** Returns a function that stops the tasks. It resolves once the rounds in progress have ended. */
export function startSchedules(schedules: readonly Schedule[], dependencies: ScheduleDependencies) {
  const { database } = dependencies
  const records = createRecords(schedules, dependencies)
  const registered = records.register()

  const runForThisServer = async (schedule: Schedule): Promise<void> => {
    await records.register()
    await records.noteOwn(schedule.name, await runRound(schedule, dependencies))
  }
  const runForAllServers = async (schedule: Schedule): Promise<void> => {
    const { name } = schedule
    const holder = randomUUID()
    await records.register()
    if (!(await database.write(tx => claimRound(tx, schedule, holder)))) return
    const stopExtending = repeat(
      {
        name: `keep other servers from: ${name}`,
        everyMs: claimMs / 3,
        run: () => database.write(tx => extendClaim(tx, name, holder)),
      },
      dependencies,
    )
    const outcome = await runRound(schedule, dependencies)
    await stopExtending()
    await records.noteClaimed(name, holder, outcome)
  }

  const stops = schedules.map(schedule => {
    const { name, everyMs, atStart, scope } = schedule
    return repeat(
      {
        name,
        everyMs: scope === 'process' ? everyMs : everyMs / asksPerPeriod,
        atStart: atStart === true,
        run: () => (scope === 'process' ? runForThisServer(schedule) : runForAllServers(schedule)),
      },
      dependencies,
    )
  })
  return async () => {
    await Promise.all([registered, ...stops.map(stop => stop())])
  }
}

/** Never throws: returns how the round ended. */
async function runRound(
  { name, run }: Schedule,
  { clock, log }: Pick<ScheduleDependencies, 'clock' | 'log'>,
): Promise<Outcome> {
  const begin = clock()
  try {
    const count = await run()
    if (typeof count === 'number' && count > 0) log.debug('A periodic task had work', { task: name, count })
    return { durationMs: clock() - begin, error: null }
  } catch (error) {
    log.warn('A periodic task failed; it is tried again in its next round', { task: name, error })
    return { durationMs: clock() - begin, error: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return kept(String(error))
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return kept(`${error.message}${cause}`)
}

/** One line, as `doctor` prints it. PostgreSQL accepts no NUL. */
const kept = (text: string): string =>
  withoutSecrets(text)
    .replaceAll(/[\s\0]+/g, ' ')
    .slice(0, maxErrorLength)

type WriteEnd = 'written' | 'no row' | 'failed'

/** These functions never throw. Tasks go on while nothing can be recorded, and the log says so once. */
type Records = {
  /** Records once which tasks there are. Tries again if that has failed. */
  register(): Promise<void>
  noteOwn(name: string, outcome: Outcome): Promise<void>
  noteClaimed(name: string, holder: string, outcome: Outcome): Promise<void>
}

function createRecords(
  schedules: readonly Schedule[],
  { database, nodeId, clock, log }: ScheduleDependencies,
): Records {
  const server = nodeId ?? onlyServer
  const tasks = {
    own: schedules.filter(({ scope }) => scope === 'process'),
    shared: schedules.filter(({ scope }) => scope === 'database'),
  }
  let registering: Promise<WriteEnd> | null = null
  let isFailing = false
  /** When the last success of a task was recorded. A task that has failed since then has no entry. */
  const writtenAt = new Map<string, number>()

  const tryWrite = async (work: (tx: Tx) => Promise<unknown>): Promise<WriteEnd> => {
    try {
      const isThere = await database.write(work)
      isFailing = false
      return isThere === false ? 'no row' : 'written'
    } catch (error) {
      if (!isFailing) log.warn('How periodic tasks go cannot be written down; the tasks go on', { error })
      isFailing = true
      return 'failed'
    }
  }
  return {
    async register() {
      registering ??= tryWrite(tx => registerTasks(tx, server, tasks))
      if ((await registering) === 'failed') registering = null
    },
    async noteOwn(name, outcome) {
      const hasSucceeded = outcome.error === null
      const lastMs = writtenAt.get(name)
      if (hasSucceeded && lastMs !== undefined && clock() - lastMs < successesEveryMs) return
      writtenAt.delete(name)
      const row = { name, server, holder: null }
      const end = await tryWrite(tx => writeOutcome(tx, row, outcome))
      if (end === 'written' && hasSucceeded) writtenAt.set(name, clock())
      // Another server took this one for dead and removed its rows.
      if (end === 'no row') registering = null
    },
    async noteClaimed(name, holder, outcome) {
      const row = { name, server: allServers, holder }
      await tryWrite(tx => writeOutcome(tx, row, outcome))
    },
  }
}
