/** The endpoints of schedules. */
import {
  createdRecord,
  defineRoute,
  listed,
  noContent,
  okRecord,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { NewSchedule, Schedule, ScheduleChange, scheduleExample } from './schedule-schemas.ts'
import { presentSchedule, type ScheduleService } from './schedule-service.ts'

export const scheduleRoutes = (schedules: ScheduleService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/:id/schedules',
    operationId: 'listSchedules',
    summary: "List an agent's schedules",
    description: 'Schedules of the agent, each with its next five times.',
    permission: 'agents:read',
    list: standardList,
    data: Type.Array(Schedule),
    example: [scheduleExample],
    handle: async ({ caller, params, page }) =>
      listed(await schedules.list(caller, params.id, page), page, presentSchedule),
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/:id/schedules',
    operationId: 'createSchedule',
    summary: 'Create a schedule',
    description:
      'Runs the agent by the clock, at most once a minute. The runs act for the caller, with what the key or the person may do at that time; this also needs `agents:run`. Once they may not run the agent any more, the schedule is `stopped`. A time is skipped while the run before has not ended, and while the agent is paused. At most 20 per agent and 200 per workspace.',
    permission: 'agents:write',
    audit: 'schedule.create',
    body: NewSchedule,
    bodyExample: {
      name: scheduleExample.name,
      cron: scheduleExample.cron,
      timeZone: scheduleExample.timeZone,
      prompt: scheduleExample.prompt,
    },
    data: Schedule,
    example: scheduleExample,
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, params, body }) => {
      const row = await schedules.create(caller, params.id, body)
      return createdRecord(row, presentSchedule, `/agents/${params.id}/schedules`)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id/schedules/:scheduleId',
    operationId: 'getSchedule',
    summary: 'Get a schedule',
    description: 'Returns one schedule with its next five times.',
    permission: 'agents:read',
    data: Schedule,
    example: scheduleExample,
    handle: async ({ caller, params }) =>
      okRecord(await schedules.get(caller, params.id, params.scheduleId), presentSchedule),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/agents/:id/schedules/:scheduleId',
    operationId: 'updateSchedule',
    summary: 'Change a schedule',
    description:
      'Changes the fields that you send. Any change but a pause makes the schedule act for the caller, and also needs `agents:run`. `"status": "active"` begins again what was paused or stopped.',
    permission: 'agents:write',
    audit: 'schedule.update',
    body: ScheduleChange,
    bodyExample: { status: 'paused' },
    data: Schedule,
    example: { ...scheduleExample, status: 'paused', nextRunAt: null, nextTimes: [] },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const place = { agentId: params.id, id: params.scheduleId }
      return okRecord(await schedules.update(caller, place, body, ifMatch), presentSchedule)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/agents/:id/schedules/:scheduleId',
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule',
    description: 'Starts no more runs. Runs that it has started go on.',
    permission: 'agents:write',
    audit: 'schedule.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const place = { agentId: params.id, id: params.scheduleId }
      await schedules.remove(caller, place, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([{ effect: 'deleted', resource: 'schedule', count: 1, ids: [params.scheduleId] }])
    },
  }),
]
