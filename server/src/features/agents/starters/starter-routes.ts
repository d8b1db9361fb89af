/** The endpoints of schedules and triggers, and the endpoint to which payloads are sent. */
import {
  accepted,
  createdRecord,
  defineRoute,
  deletedRecord,
  listed,
  okRecord,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { exampleId } from '../../../platform/schemas.ts'
import { presentSchedule, type ScheduleService } from './schedule-service.ts'
import {
  NewSchedule,
  NewTrigger,
  Schedule,
  ScheduleChange,
  SignatureHeaders,
  scheduleExample,
  Trigger,
  TriggerChange,
  TriggeredRun,
  TriggerPayload,
  TriggerRotation,
  TriggerWithSecrets,
  triggerExample,
} from './starter-schemas.ts'
import type { TriggerRequests } from './trigger-requests.ts'
import { presentTrigger, type TriggerService } from './trigger-service.ts'

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
      okRecord(await schedules.get(caller, { agentId: params.id, id: params.scheduleId }), presentSchedule),
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
      return deletedRecord(dryRun, 'schedule', params.scheduleId)
    },
  }),
]

const shownExample = {
  ...triggerExample,
  url: 'https://atrium.example.com/api/v1/triggers/tt_…',
  secret: 'whsec_…',
}

export const triggerRoutes = (triggers: TriggerService, requests: TriggerRequests): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/:id/triggers',
    operationId: 'listTriggers',
    summary: "List an agent's triggers",
    description: 'Triggers of the agent, without their URLs and secrets.',
    permission: 'agents:read',
    list: standardList,
    data: Type.Array(Trigger),
    example: [triggerExample],
    handle: async ({ caller, params, page }) =>
      listed(await triggers.list(caller, params.id, page), page, presentTrigger),
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/:id/triggers',
    operationId: 'createTrigger',
    summary: 'Create a trigger',
    description:
      'Makes a URL that runs the agent for each payload that is sent to it. The reply contains the URL and a secret for signatures, which are never shown again. The runs act for the caller, with what the key or the person may do at that time; this also needs `agents:run`. Once they may not run the agent any more, the trigger is `stopped`. At most 20 per agent and 200 per workspace.',
    permission: 'agents:write',
    audit: 'trigger.create',
    body: NewTrigger,
    bodyExample: { name: triggerExample.name, promptTemplate: triggerExample.promptTemplate },
    data: TriggerWithSecrets,
    example: shownExample,
    secrets: ['url', 'secret'],
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, params, body }) => {
      const { row, ...secrets } = await triggers.create(caller, params.id, body)
      return createdRecord(
        row,
        shown => ({ ...presentTrigger(shown), ...secrets }),
        `/agents/${params.id}/triggers`,
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id/triggers/:triggerId',
    operationId: 'getTrigger',
    summary: 'Get a trigger',
    description: 'Returns one trigger without its URL and secret.',
    permission: 'agents:read',
    data: Trigger,
    example: triggerExample,
    handle: async ({ caller, params }) =>
      okRecord(await triggers.get(caller, { agentId: params.id, id: params.triggerId }), presentTrigger),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/agents/:id/triggers/:triggerId',
    operationId: 'updateTrigger',
    summary: 'Change a trigger',
    description:
      'Changes the fields that you send. Any change but a pause makes the trigger act for the caller, and also needs `agents:run`. `"status": "active"` begins again what was paused or stopped.',
    permission: 'agents:write',
    audit: 'trigger.update',
    body: TriggerChange,
    bodyExample: { status: 'paused' },
    data: Trigger,
    example: { ...triggerExample, status: 'paused' },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const place = { agentId: params.id, id: params.triggerId }
      return okRecord(await triggers.update(caller, place, body, ifMatch), presentTrigger)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/:id/triggers/:triggerId/rotate',
    operationId: 'rotateTrigger',
    summary: "Rotate a trigger's URL and secret",
    description:
      'Creates a new URL and a new secret and shows them once. The old ones work until the end of the overlap that you choose; another rotation ends them at once. The trigger acts for the caller from now on, which also needs `agents:run`.',
    permission: 'agents:write',
    audit: 'trigger.rotate',
    body: TriggerRotation,
    bodyExample: { overlapSeconds: 3_600 },
    data: TriggerWithSecrets,
    example: { ...shownExample, previousExpiresAt: '2026-11-21T10:30:00.000Z' },
    secrets: ['url', 'secret'],
    handle: async ({ caller, params, body }) => {
      const place = { agentId: params.id, id: params.triggerId }
      const { row, ...secrets } = await triggers.rotate(caller, place, body.overlapSeconds ?? 0)
      return okRecord(row, shown => ({ ...presentTrigger(shown), ...secrets }))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/agents/:id/triggers/:triggerId',
    operationId: 'deleteTrigger',
    summary: 'Delete a trigger',
    description: 'Its URL is a 404 from now on. Runs that it has started go on.',
    permission: 'agents:write',
    audit: 'trigger.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const place = { agentId: params.id, id: params.triggerId }
      await triggers.remove(caller, place, { ifMatch, dryRun })
      return deletedRecord(dryRun, 'trigger', params.triggerId)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/triggers/:token',
    operationId: 'sendToTrigger',
    summary: 'Send a payload to a trigger',
    description:
      'Starts a run of the agent of the trigger and answers 202 with its id. It needs no key: the token in the path is the secret, and the trigger may require a signature besides. Requests count for the trigger and for its workspace. An `Idempotency-Key`, or the `webhook-id` of a signed request, starts one run in 24 hours.',
    permission: 'public',
    audit: 'run.create',
    pathTexts: { token: { description: 'The token of the trigger.', example: 'tt_…' } },
    headers: SignatureHeaders,
    body: TriggerPayload,
    bodyExample: { ticket: { title: 'The export hangs' } },
    bodyLimits: { maxBytes: 256 * 1024, maxValues: 20_000 },
    keepsBytes: true,
    countedBy: ({ token = '' }) => requests.countRequest(token),
    data: TriggeredRun,
    example: { runId: exampleId('run') },
    success: [202],
    errors: [
      'trigger_paused',
      'signature_invalid',
      'concurrent_change',
      'agent_paused',
      'call_depth',
      'price_unknown',
      'budget_exceeded',
      'run_limit',
      'storage_limit',
    ],
    handle: async ({ params, body, bodyBytes, headers, origin }) => {
      const { runId, isRepeated } = await requests.fire(params.token, {
        body,
        bytes: bodyBytes,
        origin: origin(),
        signed: {
          id: headers['webhook-id'] ?? null,
          timestamp: headers['webhook-timestamp'] ?? null,
          signature: headers['webhook-signature'] ?? null,
        },
      })
      const replayed: Record<string, string> = isRepeated ? { 'idempotency-replayed': 'true' } : {}
      return accepted({ runId }, `/runs/${runId}`, replayed)
    },
  }),
]
