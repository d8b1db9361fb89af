/** The messages that a run is given: their checks, their prompt, and how a model and a later turn read them. */
import type {
  JSONValue,
  LanguageModelV3FilePart,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
} from '@ai-sdk/provider'
import { type FieldError, invalidField, mostFieldErrors, ServiceError } from '../../../platform/errors.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import type { imageTypes } from '../../knowledge/documents/attachments-service.ts'
import { type Message, maxText } from '../records/message-schemas.ts'
import type { NewRun } from '../records/run-schemas.ts'

/** A request whose prompt is known: its own, or the words of the last user message. */
export type RunInput = NewRun & {
  prompt: string
  /** The request's field of each document that the messages attach, by the document's id. */
  documentFields?: ReadonlyMap<string, string>
}

const maxAttachments = 20

/** Documents among the messages become attachments. Throws one 400 that names each fault. */
export function runInputOf(newRun: NewRun): RunInput {
  const { prompt, messages, attachments = [] } = newRun
  if (messages === undefined) {
    if (prompt === undefined) throw invalidField('prompt', 'is needed, or `messages` in its place')
    return { ...newRun, prompt }
  }
  if (prompt !== undefined) {
    throw invalidField('messages', 'stand in place of `prompt`: make the prompt the last message')
  }
  const errors = messageFaults(messages)
  const documentFields = documentFieldsOf(messages)
  const attached = [...new Set([...attachments, ...documentFields.keys()])]
  if (attached.length > maxAttachments) {
    const message = `name ${attached.length} documents with \`attachments\`, and ${maxAttachments} are the most`
    errors.push({ field: 'messages', message })
  }
  if (errors.length > 0) {
    throw new ServiceError('validation_failed', undefined, { errors: errors.slice(0, mostFieldErrors) })
  }
  return { ...newRun, prompt: promptIn(messages), attachments: attached, documentFields }
}

const documentFieldsOf = (messages: readonly Message[]): Map<string, string> =>
  new Map(
    messages.flatMap((message, index) =>
      partsOf(message).flatMap((part, at): [string, string][] =>
        part.type === 'document' ? [[part.documentId, `messages.${index}.content.${at}.documentId`]] : [],
      ),
    ),
  )

type Part = Exclude<Extract<Message, { role: 'user' }>['content'], string>[number]

const isOfUser = (message: Message) => message.role === 'user'

const partsOf = (message: Message): Part[] => {
  if (message.role !== 'user') return []
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
}

const wordsOf = (message: Message | undefined): string =>
  message === undefined
    ? ''
    : partsOf(message)
        .flatMap(part => (part.type === 'text' ? [part.text] : []))
        .join('\n')

const showsImage = (message: Message | undefined): boolean =>
  message !== undefined && partsOf(message).some(({ type }) => type === 'image')

/** Lists and later turns show words even for a picture without any. */
function promptIn(messages: readonly Message[]): string {
  const words = wordsOf(messages.findLast(isOfUser))
  return words.trim() === '' ? '[image]' : words
}

function messageFaults(messages: readonly Message[]): FieldError[] {
  const faults = [...imageFaults(messages), ...callFaults(messages)]
  const first = messages.findIndex(({ role }) => role !== 'system')
  for (const [index, message] of messages.entries()) {
    const field = `messages.${index}`
    if (message.role === 'system' && first >= 0 && index > first) {
      faults.push({ field: `${field}.role`, message: 'Messages of the system stand before all others' })
    }
    if (isOfUser(message) && partsOf(message).every(({ type }) => type === 'document')) {
      faults.push({ field: `${field}.content`, message: 'needs a text or an image besides documents' })
    }
    if (message.role === 'assistant' && message.content === undefined && message.toolCalls === undefined) {
      faults.push({ field, message: 'needs `content`, `toolCalls` or both' })
    }
  }
  const prompt = wordsOf(messages.findLast(isOfUser))
  if (prompt.trim() === '' && !showsImage(messages.findLast(isOfUser))) {
    faults.push({ field: 'messages', message: 'need words or an image in their last message of the user' })
  }
  if (prompt.length > maxText) {
    const message = `have more than ${maxText} characters in the texts of their last message of the user`
    faults.push({ field: 'messages', message, rule: 'maxLength', limit: maxText })
  }
  if (!['user', 'tool'].includes(messages.at(-1)?.role ?? '')) {
    faults.push({ field: 'messages', message: 'must end with a message of the user or the result of a call' })
  }
  return faults
}

/** Each call must have one result, before any message that is not a result. */
function callFaults(messages: readonly Message[]): FieldError[] {
  const faults: FieldError[] = []
  const known = new Set<string>()
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const field = `messages.${index}`
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) {
        faults.push({ field: `${field}.toolCallId`, message: 'is no call that waits for a result here' })
      }
      if ((message.output === undefined) === (message.error === undefined)) {
        faults.push({ field, message: 'needs either `output` or `error`' })
      }
      continue
    }
    if (open.size > 0) faults.push({ field, message: unanswered(open) })
    open = new Set()
    for (const [at, { toolCallId }] of (message.role === 'assistant'
      ? (message.toolCalls ?? [])
      : []
    ).entries()) {
      if (known.has(toolCallId)) {
        const name = `${field}.toolCalls.${at}.toolCallId`
        faults.push({ field: name, message: 'is the id of an earlier call' })
      }
      known.add(toolCallId)
      open.add(toolCallId)
    }
  }
  if (open.size > 0) faults.push({ field: 'messages', message: unanswered(open) })
  return faults
}

const unanswered = (open: ReadonlySet<string>): string =>
  `The result of ${[...open].join(', ')} is missing: each call needs a message of the role \`tool\` right behind it`

type ImageType = (typeof imageTypes)[number]

/** The first bytes of each image type, in hexadecimal. A WebP file names its type after its length. */
const signatures: Record<ImageType, RegExp> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
}

function imageFaults(messages: readonly Message[]): FieldError[] {
  return imagesOf(messages).flatMap(({ field, mediaType, data }) => {
    const bytes = Buffer.from(data, 'base64')
    const isWhole = withoutPadding(bytes.toString('base64')) === withoutPadding(data)
    if (!isWhole) return [{ field: `${field}.data`, message: 'must be base64 without line breaks' }]
    const isOfType = signatures[mediaType].test(bytes.subarray(0, 16).toString('hex'))
    return isOfType ? [] : [{ field: `${field}.data`, message: `is no image of the type ${mediaType}` }]
  })
}

/** At most two `=` are removed: a pattern for any number takes hours for two megabytes of them. */
const withoutPadding = (base64: string): string => base64.replace(/={1,2}$/, '')

const imagesOf = (messages: readonly Message[]) =>
  messages.flatMap((message, index) =>
    partsOf(message).flatMap((part, at) =>
      part.type === 'image' ? [{ ...part, field: `messages.${index}.content.${at}` }] : [],
    ),
  )

export const hasImages = (messages: readonly Message[]): boolean => imagesOf(messages).length > 0

/** Throws one 400 that names each image if the model does not see images. */
export async function checkImages(
  { messages = [] }: NewRun,
  model: () => Promise<ResolvedModel | null>,
): Promise<void> {
  const images = imagesOf(messages)
  const seeing = images.length === 0 ? null : await model()
  if (seeing?.seesImages !== false) return
  const message = `The model ${seeing.name} does not see images`
  throw new ServiceError('validation_failed', undefined, {
    errors: images.map(({ field }) => ({ field, message })),
  })
}

/** The names of the functions that the messages call. */
export const calledIn = (messages: readonly Message[]): string[] => [
  ...new Set(
    messages.flatMap(message =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map(({ name }) => name) : [],
    ),
  ),
]

/** The instructions among the messages. */
export const instructionsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap(message => (message.role === 'system' ? [message.content] : []))

type ModelMessage = LanguageModelV3Prompt[number]
type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart

/** The messages as a model reads them; `attached` comes before the words of the last user message. */
export function modelMessages(messages: readonly Message[], attached: readonly UserPart[]): ModelMessage[] {
  const asked = messages.findLastIndex(isOfUser)
  const names = new Map<string, string>()
  const read: ModelMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      read.push({ role: 'user', content: [...(index === asked ? attached : []), ...userParts(message)] })
    } else if (message.role === 'assistant') {
      const { content, toolCalls = [] } = message
      const calls = toolCalls.map(({ toolCallId, name, input }) => {
        names.set(toolCallId, name)
        return { type: 'tool-call' as const, toolCallId, toolName: name, input }
      })
      const words = content === undefined ? [] : [{ type: 'text' as const, text: content }]
      read.push({ role: 'assistant', content: [...words, ...calls] })
    } else if (message.role === 'tool') {
      const { toolCallId, error, output } = message
      const result = {
        type: 'tool-result' as const,
        toolCallId,
        toolName: names.get(toolCallId) ?? '',
        output:
          error === undefined ? outputOf(output as JSONValue) : { type: 'error-text' as const, value: error },
      }
      const last = read.at(-1)
      if (last?.role === 'tool') last.content.push(result)
      else read.push({ role: 'tool', content: [result] })
    }
  }
  return read
}

/** A result as the model reads it: a text as that text, any other value as JSON. */
export const outputOf = (value: JSONValue) =>
  typeof value === 'string' ? { type: 'text' as const, value } : { type: 'json' as const, value }

const userParts = (message: Message): UserPart[] =>
  partsOf(message).flatMap((part): UserPart[] => {
    if (part.type === 'text') return [part]
    return part.type === 'image'
      ? [{ type: 'file', mediaType: part.mediaType, data: Buffer.from(part.data, 'base64') }]
      : []
  })

/** The prompt that later turns remember of a run that was given messages. */
export function rememberedPrompt(prompt: string, messages: readonly Message[]): string {
  const before = messages.slice(0, messages.findLastIndex(isOfUser)).flatMap(message => {
    if (message.role === 'user') return [`User: ${wordsOf(message)}`]
    return message.role === 'assistant' && message.content !== undefined
      ? [`Assistant: ${message.content}`]
      : []
  })
  return before.length === 0 ? prompt : `${before.join('\n\n')}\n\nUser: ${prompt}`
}
