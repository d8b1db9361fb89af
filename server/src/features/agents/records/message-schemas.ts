/** Messages that a request has instead of a prompt: earlier ones, and last the prompt or the results of functions. */
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { idOf, stringEnum } from '../../../platform/schemas.ts'
import { imageTypes } from '../../knowledge/documents/attachments-service.ts'

export const maxMessages = 500
/** The most characters of one text, and so of a prompt. */
export const maxText = 100_000

const role = <const Role extends string>(name: Role, description: string) =>
  stringEnum([name], { description })

const text = (description: string) => Type.String({ minLength: 1, maxLength: maxText, description })

const TextPart = Type.Closed('TextPart', {
  type: stringEnum(['text'], { description: 'Words.' }),
  text: text('The words.'),
})

const DocumentPart = Type.Closed('DocumentPart', {
  type: stringEnum(['document'], { description: 'A document of the workspace.' }),
  documentId: idOf('document', {
    description:
      'Given with the prompt like one of `attachments`: a text as citable passages, an image for models that accept images.',
  }),
})

const aboutImage = {
  type: stringEnum(['image'], { description: 'An image.' }),
  mediaType: stringEnum(imageTypes, { description: 'Media type of the image.' }),
}

const ImagePart = Type.Closed('ImagePart', {
  ...aboutImage,
  data: Type.String({
    minLength: 1,
    maxLength: 2_000_000,
    description:
      'The image in base64. The whole request takes at most 2 MB; send a larger image as a document.',
    examples: ['iVBORw0KGgo='],
  }),
})

const ShownImagePart = Type.Closed('ShownImagePart', {
  ...aboutImage,
  sizeBytes: Type.Integer({ minimum: 1, description: 'Size of the image, in bytes.' }),
})

const toolCallId = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Id of the call, unique among the messages.',
  examples: ['call_1'],
})

const ToolCall = Type.Closed('MessageToolCall', {
  toolCallId,
  name: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
    description: 'Name of the function that was called.',
    examples: ['look_up_order'],
  }),
  input: Type.Unsafe<Record<string, unknown>>({
    title: 'ToolCallArguments',
    type: 'object',
    additionalProperties: true,
    description: 'Arguments of the call.',
    examples: [{ number: 7 }],
  }),
})

const SystemMessage = Type.Closed('SystemMessage', {
  role: role('system', 'Instructions for this run; they stand before all other messages.'),
  content: text("The instructions. The model reads them after the agent's own."),
})

const AssistantMessage = Type.Closed('AssistantMessage', {
  role: role('assistant', 'What the model said before.'),
  content: Type.Optional(text('What it said; may be left out where it called functions.')),
  toolCalls: Type.Optional(
    Type.Array(ToolCall, {
      minItems: 1,
      maxItems: 50,
      description: 'Functions that it called; the next messages are their results.',
    }),
  ),
})

const ToolMessage = Type.Closed('ToolMessage', {
  role: role('tool', 'The result of a call of the message before.'),
  toolCallId,
  output: Type.Optional(
    Type.Unknown({ description: 'What the function returned: any JSON. Send either this or `error`.' }),
  ),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Why the function returned nothing.',
    }),
  ),
})

const about = {
  user: role('user', 'What the user said.'),
  words: 'Text, or parts: texts, images and documents.',
}

const UserMessage = Type.Closed('UserMessage', {
  role: about.user,
  content: Type.Union(
    [
      text('The words.'),
      Type.Array(Type.Union([TextPart, ImagePart, DocumentPart], { title: 'MessagePart' }), {
        minItems: 1,
        maxItems: 100,
      }),
    ],
    { description: about.words },
  ),
})
export type UserMessage = Static<typeof UserMessage>

const ShownUserMessage = Type.Closed('ShownUserMessage', {
  role: about.user,
  content: Type.Union(
    [
      Type.String({ description: 'The words.' }),
      Type.Array(Type.Union([TextPart, ShownImagePart, DocumentPart], { title: 'ShownMessagePart' })),
    ],
    { description: about.words },
  ),
})

export const Message = Type.Union([SystemMessage, UserMessage, AssistantMessage, ToolMessage], {
  title: 'Message',
  description: 'Something that was said, or the result of a function; `role` tells which.',
})
export type Message = Static<typeof Message>

export const ShownMessage = Type.Union([SystemMessage, ShownUserMessage, AssistantMessage, ToolMessage], {
  title: 'ShownMessage',
  description: 'A message of the request; of an image only its size is shown.',
})
export type ShownMessage = Static<typeof ShownMessage>

export const messagesExample: Message[] = [
  { role: 'user', content: 'Where is order 7?' },
  { role: 'assistant', content: 'It was shipped on Monday.' },
  { role: 'user', content: 'And when will it be here?' },
]

/** The messages of a run's row; null if the request had a prompt. */
export const messagesOf = ({
  messages,
}: {
  messages: Json<Record<string, unknown>[]> | null
}): Message[] | null => (messages === null ? null : decodeJson(messages as Json<Message[]>))

export const shownMessages = (messages: readonly Message[]): ShownMessage[] =>
  messages.map(message => {
    if (message.role !== 'user') return message
    if (typeof message.content === 'string') return { role: 'user', content: message.content }
    const content = message.content.map(part => {
      if (part.type !== 'image') return part
      const { data, ...image } = part
      return { ...image, sizeBytes: Buffer.byteLength(data, 'base64') }
    })
    return { role: 'user', content }
  })
