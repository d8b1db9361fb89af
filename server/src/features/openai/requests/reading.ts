/**
 * Reads a request as leniently as OpenAI's clients need it: unknown fields and nulls pass. A value of the wrong type
 * is a fault that names the parameter. So is a feature that is not available if ignoring it would change the answer.
 */
import { type Fields, isFields } from '@atrium/connectors/fields'
import { jsonIn } from '@atrium/connectors/gate'
import { type FieldError, mostFieldErrors, ServiceError } from '../../../platform/errors.ts'
import { modelTextLimits } from '../../../platform/text/model-text.ts'
import { type Message, maxText } from '../../agents/records/message-schemas.ts'
import type { NewRun } from '../../agents/records/run-schemas.ts'

/** The prefix of the metadata keys that store a request's fields of this protocol which a run does not have. */
export const ownMetadata = 'openai.'

/** A message, and the parameter that contains it. */
export type Said = { param: string; message: Message }
/** A reference to a message of an earlier response, by the id of its item. */
export type Reference = { param: string; itemId: string }

/** The common form of both protocols' requests. */
export type Asked = {
  model: string
  stream: boolean
  /** Whether a chat's stream includes the usage. */
  includeUsage: boolean
  /** Whether the run goes on after its client has left. */
  background: boolean
  /** The response that this one continues. */
  previousId: string | null
  /** The conversation that the response continues. */
  conversationId: string | null
  /** Whether the client carries out one call at a time. */
  hasOneCall: boolean
  /** Whether the results of `file_search` are shown. */
  includesResults: boolean
  /** True if the first message is an instruction for this response alone. */
  hasInstructions: boolean
  said: (Said | Reference)[]
  /** Whether the answer needs a search, in the run's collections. */
  searches: boolean
  run: Omit<NewRun, 'messages' | 'prompt'>
  /** The parameter that each field of the run comes from; the longest matching prefix decides. */
  params: Map<string, string>
}

export type Reader = ReturnType<typeof createReader>

/** Collects faults; `finish` throws one `validation_failed` with all of them. */
export function createReader() {
  const faults: FieldError[] = []
  const fault = (field: string, message: string): undefined => {
    faults.push({ field, message })
  }
  const read =
    <T>(fits: (value: unknown) => value is T, words: string) =>
    (value: unknown, param: string): T | undefined => {
      if (value === undefined || value === null) return undefined
      return fits(value) ? value : fault(param, `must be ${words}`)
    }
  return {
    fault,
    text: read((value): value is string => typeof value === 'string', 'a string'),
    number: read((value): value is number => typeof value === 'number', 'a number'),
    flag: read((value): value is boolean => typeof value === 'boolean', 'true or false'),
    list: read((value): value is unknown[] => Array.isArray(value), 'a list'),
    fields: read(isFields, 'an object'),
    finish(): void {
      if (faults.length === 0) return
      throw new ServiceError('validation_failed', undefined, { errors: faults.slice(0, mostFieldErrors) })
    },
  }
}

/** Whether a request's list of what to include asks for the results of its searches. */
export const asksResults = (include: readonly unknown[]): boolean =>
  include.includes('file_search_call.results')

/** For messages and items: the text of a user, an assistant or a tool. */
export function textOf(content: unknown, param: string, reader: Reader): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return limited(content, param, reader)
  const parts = reader.list(content, param) ?? []
  const texts = parts.map((part, at) => {
    const { type, text, refusal } = isFields(part) ? part : {}
    if (typeof text === 'string') return text
    if (typeof refusal === 'string') return refusal
    reader.fault(`${param}[${at}]`, `must be a text; a part of the type ${String(type)} is not taken here`)
    return ''
  })
  return limited(texts.join(''), param, reader)
}

/** The same limit as for messages of a run; their union would not say which kind of message was meant. */
function limited(text: string, param: string, reader: Reader): string {
  if (text.length > maxText) reader.fault(param, `must have at most ${maxText} characters`)
  return text
}

/** The content of a user's message. */
export type UserContent = Extract<Message, { role: 'user' }>['content']
type UserPart = Exclude<UserContent, string>[number]

export function userContentOf(content: unknown, param: string, reader: Reader): UserContent {
  const read =
    typeof content === 'string' ? limited(content, param, reader) : userPartsOf(content, param, reader)
  if (read.length === 0) reader.fault(param, 'must say something')
  return read
}

function userPartsOf(content: unknown, param: string, reader: Reader): UserPart[] {
  const parts = reader.list(content, param) ?? []
  return parts.flatMap((part, at) => {
    const place = `${param}[${at}]`
    return isFields(part) ? userPartOf(part, place, reader) : (reader.fault(place, 'must be an object') ?? [])
  })
}

function userPartOf(part: Fields, param: string, reader: Reader): UserPart[] {
  const { type } = part
  if (type === 'text' || type === 'input_text') {
    const text = limited(reader.text(part.text, `${param}.text`) ?? '', `${param}.text`, reader)
    // An empty part means nothing, and some clients send one.
    return text === '' ? [] : [{ type: 'text', text }]
  }
  if (type === 'image_url' || type === 'input_image') {
    const url = isFields(part.image_url) ? part.image_url.url : part.image_url
    const image = typeof url === 'string' ? imageOf(url) : null
    if (image !== null) return [image]
    if (typeof part.file_id === 'string') return documentOf(part.file_id)
    reader.fault(
      `${param}.image_url`,
      'must be a data: URL in base64 of a PNG, JPEG, GIF or WebP; addresses of images are not fetched',
    )
    return []
  }
  if (type === 'file' || type === 'input_file') {
    const file = isFields(part.file) ? part.file : part
    if (typeof file.file_id === 'string') return documentOf(file.file_id)
    reader.fault(param, 'must name a document of the workspace as `file_id`: upload the file first')
    return []
  }
  reader.fault(`${param}.type`, `${String(type)} is not taken: send text, images or files`)
  return []
}

const documentOf = (documentId: string): UserPart[] => [{ type: 'document', documentId }]

function imageOf(url: string): UserPart | null {
  const [, mediaType] = /^data:(image\/(?:png|jpeg|gif|webp));base64,/.exec(url.slice(0, 40)) ?? []
  if (mediaType === undefined) return null
  return {
    type: 'image',
    // Only these four types match the expression.
    mediaType: mediaType as Extract<UserPart, { type: 'image' }>['mediaType'],
    data: url.slice(url.indexOf(',') + 1),
  }
}

const functionName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

export type Call = { toolCallId: string; name: string; input: Fields }

/** A call with its arguments as JSON text. */
export function callOf(
  call: { id: unknown; name: unknown; text: unknown },
  param: string,
  reader: Reader,
): Call {
  const toolCallId = reader.text(call.id, `${param}.id`) ?? ''
  const name = reader.text(call.name, `${param}.name`) ?? ''
  const text = reader.text(call.text, `${param}.arguments`) ?? ''
  if (!functionName.test(name)) {
    reader.fault(`${param}.name`, 'must have 1 to 64 letters, digits, _ or -, and begin with no digit or -')
  }
  if (toolCallId === '') reader.fault(`${param}.id`, 'is required')
  return { toolCallId, name, input: argumentsOf(text, `${param}.arguments`, reader) }
}

function argumentsOf(text: string, param: string, reader: Reader): Fields {
  if (text.trim() === '') return {}
  const value = jsonIn(text, modelTextLimits)
  if (isFields(value)) return value
  reader.fault(param, 'must be a JSON object as a string')
  return {}
}

/** Reads the fields that both kinds of request have. */
export function readCommon(body: Fields, asked: Asked, reader: Reader): void {
  const { run, params } = asked
  const parameters: NonNullable<NewRun['modelParameters']> = {}
  const temperature = reader.number(body.temperature, 'temperature')
  const topP = reader.number(body.top_p, 'top_p')
  const seed = reader.number(body.seed, 'seed')
  const stops = typeof body.stop === 'string' ? [body.stop] : reader.list(body.stop, 'stop')
  // Clients with a field for it send an empty text where the field is empty.
  const stop = stops?.filter(text => text !== '')
  refuseBias(body.logit_bias, reader)
  const reasoning = reader.fields(body.reasoning, 'reasoning') ?? {}
  const [effortParam, effort] =
    reasoning.effort == null
      ? ['reasoning_effort', body.reasoning_effort]
      : ['reasoning.effort', reasoning.effort]
  const reasoningEffort = reader.text(effort, effortParam)
  if (temperature !== undefined) parameters.temperature = temperature
  if (topP !== undefined) parameters.topP = topP
  if (seed !== undefined) parameters.seed = seed
  // The run's own schema checks the texts and levels.
  if (stop !== undefined && stop.length > 0) parameters.stop = stop as string[]
  if (reasoningEffort !== undefined)
    parameters.reasoningEffort = reasoningEffort as NonNullable<typeof parameters.reasoningEffort>
  if (Object.keys(parameters).length > 0) run.modelParameters = parameters
  asked.hasOneCall = reader.flag(body.parallel_tool_calls, 'parallel_tool_calls') === false
  const endUserId = reader.text(body.safety_identifier ?? body.user, 'user')
  if (endUserId !== undefined && endUserId !== '') run.endUserId = endUserId
  const metadata = reader.fields(body.metadata, 'metadata')
  if (metadata !== undefined) run.metadata = metadata
  for (const name of Object.keys(metadata ?? {})) {
    if (name.startsWith(ownMetadata)) reader.fault(`metadata.${name}`, `must not begin with "${ownMetadata}"`)
  }
  for (const [field, param] of [
    ['modelParameters.temperature', 'temperature'],
    ['modelParameters.topP', 'top_p'],
    ['modelParameters.seed', 'seed'],
    ['modelParameters.stop', 'stop'],
    ['modelParameters.reasoningEffort', effortParam],
    ['endUserId', body.safety_identifier == null ? 'user' : 'safety_identifier'],
  ] as const) {
    params.set(field, param)
  }
}

/** Models of other providers have other tokens, so a bias would mean other words. */
function refuseBias(value: unknown, reader: Reader): void {
  const bias = reader.fields(value, 'logit_bias') ?? {}
  if (Object.keys(bias).length > 0) {
    reader.fault('logit_bias', 'is not taken: say in the instructions which words to avoid')
  }
}

export function limitOutput(value: unknown, param: string, asked: Asked, reader: Reader): void {
  const maxOutputTokens = reader.number(value, param)
  if (maxOutputTokens !== undefined) asked.run.limits = { maxOutputTokens }
  asked.params.set('limits.maxOutputTokens', param)
}

/**
 * A format is text, any JSON object, or JSON that fits a schema. Clients from before `json_schema`, and those of other
 * servers, send the schema beside `json_object`.
 */
export function readFormat(
  format: Fields,
  schema: unknown,
  param: string,
  { asked, reader }: { asked: Asked; reader: Reader },
): void {
  const { type } = format
  asked.params.set('responseSchema', param)
  if (type === undefined || type === null || type === 'text') return
  if (type === 'json_object')
    asked.run.responseSchema = isFields(format.schema) ? format.schema : { type: 'object' }
  else if (type === 'json_schema' && isFields(schema)) asked.run.responseSchema = schema
  else reader.fault(param, 'must be text, json_object or json_schema, the last with its schema')
}

/** A request that asks for nothing yet. */
export const nothingAsked = (): Asked => ({
  model: '',
  stream: false,
  includeUsage: false,
  background: false,
  previousId: null,
  conversationId: null,
  hasOneCall: false,
  includesResults: false,
  hasInstructions: false,
  said: [],
  searches: false,
  run: {},
  params: new Map(),
})

export function requireModel(body: Fields, reader: Reader): string {
  const model = reader.text(body.model, 'model') ?? ''
  if (model.trim() === '')
    reader.fault('model', 'is required: an agent or a model, as GET /v1/models lists them')
  return model
}

/** Refuses parameters that would change the answer if they were ignored. */
export function refuse(body: Fields, refused: Readonly<Record<string, string>>, reader: Reader): void {
  for (const [name, why] of Object.entries(refused)) {
    const value = body[name]
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) reader.fault(name, why)
  }
}
