/** What starts runs of an agent besides requests: the clock, and payloads from outside. */
import { get, patch, path, post, previewRemove, remove } from './transport/calls.ts'
import { listOf } from './transport/list.ts'
import type { Body, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

export const createSchedules = (transport: Transport) => ({
  list: (agentId: string, query: QueryOf<'listSchedules'> = {}, options?: CallOptions) =>
    listOf<Item<'listSchedules'>>(transport, path`/agents/${agentId}/schedules`, query, options),
  get: (agentId: string, id: string, options?: CallOptions) =>
    get<'getSchedule'>(transport, path`/agents/${agentId}/schedules/${id}`, options),
  /** Its runs act for the caller, as long as the caller may run the agent. */
  create: (agentId: string, schedule: Body<'createSchedule'>, options?: CallOptions) =>
    post<'createSchedule'>(transport, path`/agents/${agentId}/schedules`, schedule, options),
  /** Any change but a pause makes it act for the caller. */
  update: (agentId: string, id: string, change: Body<'updateSchedule'>, options?: CallOptions) =>
    patch<'updateSchedule'>(transport, path`/agents/${agentId}/schedules/${id}`, change, options),
  delete: (agentId: string, id: string, options?: CallOptions) =>
    remove(transport, path`/agents/${agentId}/schedules/${id}`, options),
  previewDelete: (agentId: string, id: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${agentId}/schedules/${id}`, options),
})

export const createTriggers = (transport: Transport) => ({
  list: (agentId: string, query: QueryOf<'listTriggers'> = {}, options?: CallOptions) =>
    listOf<Item<'listTriggers'>>(transport, path`/agents/${agentId}/triggers`, query, options),
  get: (agentId: string, id: string, options?: CallOptions) =>
    get<'getTrigger'>(transport, path`/agents/${agentId}/triggers/${id}`, options),
  /** The reply holds the URL and the secret, this once. Its runs act for the caller. */
  create: (agentId: string, trigger: Body<'createTrigger'>, options?: CallOptions) =>
    post<'createTrigger'>(transport, path`/agents/${agentId}/triggers`, trigger, options),
  /** Any change but a pause makes it act for the caller. */
  update: (agentId: string, id: string, change: Body<'updateTrigger'>, options?: CallOptions) =>
    patch<'updateTrigger'>(transport, path`/agents/${agentId}/triggers/${id}`, change, options),
  /** Makes a new URL and a new secret; for the overlap the old ones work too. */
  rotate: (agentId: string, id: string, rotation: Body<'rotateTrigger'> = {}, options?: CallOptions) =>
    post<'rotateTrigger'>(transport, path`/agents/${agentId}/triggers/${id}/rotate`, rotation, options),
  delete: (agentId: string, id: string, options?: CallOptions) =>
    remove(transport, path`/agents/${agentId}/triggers/${id}`, options),
  previewDelete: (agentId: string, id: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${agentId}/triggers/${id}`, options),
  /** Starts a run as a sender outside does; `token` is the last part of the URL. */
  send: (token: string, payload: Body<'sendToTrigger'>, options?: CallOptions) =>
    post<'sendToTrigger'>(transport, path`/triggers/${token}`, payload, options),
})
