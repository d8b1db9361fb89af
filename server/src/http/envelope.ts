/** The shapes around every reply: `data` and `meta`, the error body, the preview of a dry run. */

import { previewedIds } from '../platform/database/page.ts'
import { detailsSchema, type ErrorCode, errorCodes, ServiceError, tooLarge } from '../platform/errors.ts'
import { type Static, type TSchema, Type } from '../platform/json-schema/type.ts'
import { nullable, stringEnum } from '../platform/schemas.ts'
import { jsonFault } from '../platform/text/json-text.ts'

const PageMetaSchema = Type.Closed('PageMeta', {
  page: Type.Integer({ description: 'The current page, from 1.' }),
  pageSize: Type.Integer({ description: 'Items per page.' }),
  total: Type.Integer({ description: 'Exact number of items.' }),
  next: Type.Optional(
    nullable(Type.String(), {
      description:
        'Only with `sort`: send it as `after`, with the same `sort`, for the items behind these. Null if there are none.',
    }),
  ),
  ignored: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Only of a search: what the query excludes, if nothing is found with these exclusions. Then the items are those without.',
    }),
  ),
})

const FieldErrorSchema = Type.Closed('FieldError', {
  field: Type.String({ description: 'The invalid field; a dotted path if it is nested.' }),
  message: Type.String({ description: 'What is wrong with it, for people.' }),
  rule: Type.Optional(
    Type.String({
      description:
        'For programs: the keyword of JSON Schema that does not hold, such as `maxLength` or `required`; also `maxDepth` and `maxValues` for a body. Left out if the fault is none of the schema.',
      examples: ['maxLength'],
    }),
  ),
  limit: Type.Optional(
    Type.Number({ description: 'The number of the rule, if it has one.', examples: [100_000] }),
  ),
})

export const ErrorBody = Type.Closed(
  {
    statusCode: Type.Integer({ description: 'The HTTP status.' }),
    message: Type.String({ description: 'A summary for people.' }),
    errors: Type.Array(FieldErrorSchema, { description: 'One entry for each invalid field; may be empty.' }),
    // A plain text: clients that generators make refuse an unknown word of an enum, and codes may come.
    code: Type.String({
      description: 'Error code for programs; the reply lists those that it can have.',
      'x-codes': Object.keys(errorCodes),
      examples: ['validation_failed'],
    }),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Ids, numbers and states that the message names; the fields depend on `code`. Often empty.',
        'x-details': detailsByCode(),
      },
    ),
    requestId: Type.String({ description: 'Also in the header X-Request-Id and in the log.' }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
  },
  { description: 'Every error has this shape.' },
)
export type ErrorBody = Static<typeof ErrorBody>

/** What `details` holds, for each code that has any. A function, because the error body is made of it. */
function detailsByCode(): Record<string, TSchema> {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return Object.fromEntries(
    codes.flatMap(code => {
      const details = detailsSchema(code)
      return details === null ? [] : [[code, details]]
    }),
  )
}

/** The kinds of records in previews, one word for each. */
export const effectResources = [
  'agent',
  'api_key',
  'browser_token',
  'collection',
  'connection',
  'conversation',
  'document',
  'event',
  'feedback',
  'invitation',
  'member',
  'model_provider',
  'oauth_client',
  'public_chat',
  'run',
  'schedule',
  'team',
  'trigger',
  'upload',
  'webhook',
  'workspace',
] as const

export const PreviewSchema = Type.Closed(
  'Preview',
  {
    dryRun: Type.Boolean({ description: 'Always true: nothing has changed.' }),
    effects: Type.Array(
      Type.Closed({
        effect: stringEnum(['deleted', 'revoked', 'disabled', 'detached', 'queued'], {
          description: 'What would be done.',
        }),
        resource: stringEnum(effectResources, { description: 'The kind of record.' }),
        count: Type.Integer({ description: 'To how many records.' }),
        ids: Type.Array(Type.String(), {
          maxItems: previewedIds,
          description: 'The first hundred of them.',
        }),
      }),
    ),
  },
  { description: 'What the call would do; nothing was changed.' },
)

/** Named after its data: `RunReply`, `RunOrPreviewReply`. */
export const envelopeOf = (data: TSchema): TSchema => Type.Closed(`${titleOf(data)}Reply`, { data })

/** Named after its items: `RunListReply`. */
export const listEnvelopeOf = (items: TSchema): TSchema =>
  Type.Closed(`${titleOf(items)}ListReply`, {
    data: { ...items, description: 'The items of the page.' } as TSchema,
    meta: PageMetaSchema,
  })

/** Throws if the schema has no title: the document names each reply after it. */
function titleOf(schema: TSchema): string {
  const { title, items, anyOf } = schema as { title?: string; items?: TSchema; anyOf?: TSchema[] }
  if (title !== undefined) return title
  if (items !== undefined) return titleOf(items)
  if (anyOf !== undefined) return anyOf.map(titleOf).join('Or')
  throw new Error('The data of a reply needs a title')
}

export const errorBody = (error: ServiceError, requestId: string): ErrorBody => ({
  statusCode: error.statusCode,
  message: error.message,
  errors: error.errors,
  code: error.code,
  details: error.details,
  requestId,
  retryable: error.retryable,
})

/** For a body that the parser refuses: names the place of the syntax error, or the forbidden field. */
export function malformedJson(text: string): ServiceError {
  const fault = jsonFault(text)
  return new ServiceError(
    'malformed_json',
    fault === null
      ? 'The body has a field named __proto__, or constructor with prototype: rename it'
      : `The body is not valid JSON: ${fault}`,
  )
}

type FrameworkError = { code?: string; statusCode?: number }

/** Turns any error into one for the client: the framework's errors get our codes, an unexpected one becomes a 500. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const { code = '', statusCode } = (error ?? {}) as FrameworkError
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedType(['application/json'], null)
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge('The JSON body', maxJsonBytes)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError('malformed_json', 'The body has another length than Content-Length says')
    case 'FST_ERR_BAD_URL':
      return new ServiceError('malformed_url')
  }
  if (error instanceof SyntaxError && statusCode === 400) return new ServiceError('malformed_json')
  return new ServiceError('internal_error', undefined, { cause: error })
}

/** `sent` is the type that the request names, empty if it names none, and null if it is not at hand. */
export function unsupportedType(accepted: string[], sent: string | null): ServiceError {
  const wanted = accepted.join(' or ')
  const came = sent === '' ? 'without Content-Type' : `as ${sent?.slice(0, mostShownOfType)}`
  const message = sent === null ? `Send the body as ${wanted}` : `The body came ${came}: send it as ${wanted}`
  return new ServiceError('unsupported_media_type', message, { details: { accepted } })
}

const mostShownOfType = 100

/** The longest JSON body; a prompt of 100,000 characters fits even if each character is escaped. */
export const maxJsonBytes = 2 * 1024 * 1024
