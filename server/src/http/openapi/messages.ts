/** Requests that the server sends, each as the operation that receives it: webhooks, and callbacks of runs. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { exampleId } from '../../platform/schemas.ts'
import type { Message, Route } from '../route.ts'
import type { Components, Json } from './components.ts'

export const messagesOf = (messages: Readonly<Record<string, Message>>, components: Components): Json =>
  Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [
      name,
      { post: { operationId: idOf('receive', name), ...received(message, components) } },
    ]),
  )

export const callbacksOf = ({ callsBack }: Route, components: Components): Json | undefined =>
  callsBack &&
  Object.fromEntries(
    Object.entries(callsBack.messages).map(([name, message]) => [
      name,
      {
        [`{$request.body#/${callsBack.field}}`]: {
          post: { operationId: idOf('callBack', name), ...received(message, components) },
        },
      },
    ]),
  )

/** Such as `receiveRunSucceeded`. */
const idOf = (verb: string, type: string): string =>
  verb + type.replaceAll(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())

const received = ({ summary, description, schema, example }: Message, components: Components): Json => ({
  tags: ['webhooks'],
  summary,
  description,
  security: [],
  parameters: Object.keys(signatureHeaders).map(name => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: {
    required: true,
    content: {
      'application/json': withoutUndefined<Json>({ schema: components.replySchema(schema), example }),
    },
  },
  responses: {
    '2XX': { description: 'The delivery has arrived. Any status but this and 410 is tried again.' },
    '410': { description: 'The receiver is gone: an endpoint is disabled, and a callback is given up.' },
  },
})

/** Of Standard Webhooks. */
export const signatureHeaders: Json = Object.fromEntries(
  [
    ['webhook-id', 'Id of the event, the same with every attempt.', exampleId('event')],
    ['webhook-timestamp', 'When the attempt was made, in Unix epoch seconds.', '1795253402'],
    [
      'webhook-signature',
      'One `v1,` signature for each secret that is valid, separated by spaces.',
      'v1,K5oZ…=',
    ],
  ].map(([name = '', description, example]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } },
  ]),
)
