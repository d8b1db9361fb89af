/** What each operation takes and gives, read from the generated types by its `operationId`. */
import type { operations } from '../generated.ts'

export type OperationId = keyof operations

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never

type Replies<Id extends OperationId> = operations[Id]['responses']

/** The status of a success that is not the preview of a dry run. */
type SuccessStatus<Id extends OperationId> = Extract<
  keyof Replies<Id>,
  201 extends keyof Replies<Id> ? 201 : 204 extends keyof Replies<Id> ? 204 : 200 | 202
>

type Envelope<Id extends OperationId> = JsonOf<Replies<Id>[SuccessStatus<Id>]>

/** The `data` of a successful reply; undefined if nothing is answered. */
export type Data<Id extends OperationId> = Envelope<Id> extends { data: infer Payload } ? Payload : undefined

/** One item of a list. */
export type Item<Id extends OperationId> = Data<Id> extends readonly (infer One)[] ? One : never

/** The JSON body. */
export type Body<Id extends OperationId> = JsonOf<NonNullable<operations[Id]['requestBody']>>

/** The query parameters. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>
