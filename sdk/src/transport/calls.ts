/** The handful of ways in which the faces call the transport, typed by the operation's id. */

import type { operations } from '../generated.ts'
import type { CallOptions, Outgoing, Query, Transport } from './transport.ts'

// What each operation takes and gives, read from the generated types by its `operationId`.

type OperationId = keyof operations

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never

type Replies<Id extends OperationId> = operations[Id]['responses']

/** The status of a success that is not the preview of a dry run. */
type SuccessStatus<Id extends OperationId> = Extract<
  keyof Replies<Id>,
  201 extends keyof Replies<Id> ? 201 : 204 extends keyof Replies<Id> ? 204 : 200 | 202
>

type Envelope<Id extends OperationId> = JsonOf<Replies<Id>[SuccessStatus<Id>]>

/** The `data` of a successful reply; undefined where nothing is answered. */
export type Data<Id extends OperationId> = Envelope<Id> extends { data: infer Payload } ? Payload : undefined

/** One item of a list. */
export type Item<Id extends OperationId> = Data<Id> extends readonly (infer One)[] ? One : never

/** The JSON body. */
export type Body<Id extends OperationId> = JsonOf<NonNullable<operations[Id]['requestBody']>>

/** The query parameters. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>

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
export async function previewRemove(
  transport: Transport,
  at: string,
  options?: CallOptions,
  query: Query = {},
): Promise<Effect[]> {
  const outgoing: Outgoing = { method: 'DELETE', path: at, query: { ...query, dryRun: true } }
  const { data } = await transport.send(outgoing, options)
  return (data as { effects: Effect[] }).effects
}
