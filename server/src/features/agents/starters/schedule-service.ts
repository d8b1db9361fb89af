/** The operations on an agent's schedules, besides those that triggers also have. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { checkedTimetable, timetableOf } from './schedule-round.ts'
import type { NewSchedule, Schedule, ScheduleChange } from './starter-schemas.ts'
import { type ScheduleRow, scheduleStore } from './starter-store.ts'
import {
  actsFor,
  checkCounts,
  checkStart,
  createStarterVerbs,
  onlyPauses,
  presentError,
  requireWholeAgent,
  type StarterDependencies,
} from './starters.ts'

export type ScheduleService = ReturnType<typeof createScheduleService>

export function createScheduleService(dependencies: StarterDependencies) {
  const { database, clock, newId, audit } = dependencies

  return {
    ...createStarterVerbs(dependencies, {
      kind: 'schedule',
      store: scheduleStore,
      columnsOf: (row: ScheduleRow, change: ScheduleChange) =>
        onlyPauses(change) ? paused : columnsOf(row, change, clock()),
    }),

    /** Throws a 400 that names `cron` if it never comes. Throws like `checkStart` if the caller's run is refused. */
    async create(caller: Caller, agentId: string, wanted: NewSchedule): Promise<ScheduleRow> {
      const { scope } = caller
      const { name, cron, timeZone = 'UTC', prompt, variables = {}, status = 'active' } = wanted
      const agent = await requireWholeAgent(dependencies, caller, agentId)
      await checkStart(dependencies, caller, agent, variables)
      const now = clock()
      const timetable = checkedTimetable(cron, timeZone, now)
      return database.write(async tx => {
        await takeTurn(tx, `schedules ${scope.workspaceId}`)
        checkCounts('schedule', await scheduleStore.count(scope, tx, agentId))
        const row = await scheduleStore.insert(scope, tx, {
          id: newId('schedule'),
          workspace_id: scope.workspaceId,
          environment: scope.environment,
          agent_id: agentId,
          name: name.trim(),
          cron,
          time_zone: timeZone,
          prompt,
          variables: encodeJson(variables),
          metadata: encodeJson(wanted.metadata ?? {}),
          missed_runs: wanted.missedRuns ?? 'skip',
          status,
          ...actsFor(caller),
          next_run_at: status === 'active' ? (timetable.after(now, 1)[0] ?? null) : null,
          created_at: now,
          updated_at: now,
          revision: 1,
        })
        const details = { agentId, name: row.name, cron, timeZone }
        await audit.record(tx, caller, { action: 'schedule.create', resourceId: row.id, details })
        return row
      })
    },
  }
}

const paused = { status: 'paused' as const, stopped_reason: null, next_run_at: null }

function columnsOf(row: ScheduleRow, change: ScheduleChange, now: number) {
  const { name, cron = row.cron, timeZone = row.time_zone, prompt, variables, metadata, missedRuns } = change
  const timetable = checkedTimetable(cron, timeZone, now)
  const { status = row.status } = change
  const isSame = cron === row.cron && timeZone === row.time_zone && row.next_run_at !== null
  const next = isSame ? row.next_run_at : (timetable.after(now, 1)[0] ?? null)
  return withoutUndefined({
    name: name?.trim(),
    cron,
    time_zone: timeZone,
    prompt,
    variables: variables === undefined ? undefined : encodeJson(variables),
    metadata: metadata === undefined ? undefined : encodeJson(metadata),
    missed_runs: missedRuns,
    status,
    stopped_reason: status === 'stopped' ? row.stopped_reason : null,
    next_run_at: status === 'active' ? next : null,
  })
}

const shownTimes = 5

export function presentSchedule(row: ScheduleRow): Schedule {
  const { next_run_at: next } = row
  const later = next === null ? [] : timetableOf(row.cron, row.time_zone).after(next, shownTimes - 1)
  return {
    id: row.id,
    agentId: row.agent_id,
    environment: row.environment,
    name: row.name,
    cron: row.cron,
    timeZone: row.time_zone,
    prompt: row.prompt,
    variables: decodeJson(row.variables),
    metadata: decodeJson(row.metadata),
    missedRuns: row.missed_runs,
    status: row.status,
    stoppedReason: row.stopped_reason,
    actsForUserId: row.user_id,
    nextRunAt: toOptionalTimestamp(next),
    nextTimes: (next === null ? [] : [next, ...later]).map(toTimestamp),
    lastRunId: row.last_run_id,
    lastRunAt: toOptionalTimestamp(row.last_run_at),
    lastError: presentError(row.last_error),
    lastSkippedAt: toOptionalTimestamp(row.last_skipped_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  }
}
