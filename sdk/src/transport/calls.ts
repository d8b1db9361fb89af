/** The handful of ways in which the faces call the transport, typed by the operation's id. */

import type { Body, Data, OperationId } from './operations.ts'
import type { CallOptions, Outgoing, Query, Transport } from './transport.ts'

/** A path in which every inserted id is one segment, whatever characters it has. */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
  const parts = strings.map((text, index) => text + (index < ids.length ? segment(ids[index] ?? '') : ''))
  return parts.join('')
}

function segment(id: string): string {
  if (id === '') throw new TypeError('An id is empty')
  return encodeURIComponent(id)
}

/** Sends a call and answers the `data` of its reply. */
export async function call<Id extends OperationId>(
  transport: Transport,
  outgoing: Outgoing,
  options?: CallOptions,
): Promise<Data<Id>> {
  const { data } = await transport.send(outgoing, options)
  // The server filters its replies by the very schemas that the types are generated from.
  return data as Data<Id>
}

export const get = <Id extends OperationId>(transport: Transport, at: string, options?: CallOptions) =>
  call<Id>(transport, { method: 'GET', path: at }, options)

export const post = <Id extends OperationId>(
  transport: Transport,
  at: string,
  body: Body<Id> | undefined,
  options?: CallOptions,
) => call<Id>(transport, { method: 'POST', path: at, body }, options)

export const patch = <Id extends OperationId>(
  transport: Transport,
  at: string,
  body: Body<Id>,
  options?: CallOptions,
) => call<Id>(transport, { method: 'PATCH', path: at, body }, options)

export async function remove(
  transport: Transport,
  at: string,
  options?: CallOptions,
  query: Query = {},
): Promise<void> {
  await transport.send({ method: 'DELETE', path: at, query }, options)
}

/** A deletion goes to the trash; with `erase`, at once and for good, with every trace. */
export type Removal = CallOptions & { erase?: boolean }

export const removeOrErase = (
  transport: Transport,
  at: string,
  { erase = false, ...options }: Removal = {},
): Promise<void> => remove(transport, at, options, erase ? { erase } : {})

/** One line of what a destructive call would do. */
export type Effect = {
  effect: 'deleted' | 'revoked' | 'disabled' | 'detached' | 'queued'
  resource: string
  count: number
  ids: string[]
}

/** What deleting would do; nothing is changed. */
export const previewRemove = (transport: Transport, at: string, options?: CallOptions, query: Query = {}) =>
  preview(transport, { method: 'DELETE', path: at, query }, options)

/** What a `post` would do; nothing is changed. */
export const previewPost = (transport: Transport, at: string, body: unknown, options?: CallOptions) =>
  preview(transport, { method: 'POST', path: at, body }, options)

async function preview(transport: Transport, outgoing: Outgoing, options?: CallOptions): Promise<Effect[]> {
  const dryRun: Outgoing = { ...outgoing, query: { ...outgoing.query, dryRun: true } }
  const { data } = await transport.send(dryRun, options)
  // What a dry run answers, whatever the operation.
  return (data as { effects: Effect[] }).effects
}
