/** Webhook endpoints: whom the workspace tells of what happens, what was sent and what came back. */
import { call, get, patch, path, post, previewPost, previewRemove, remove } from './transport/calls.ts'
import { listOf } from './transport/list.ts'
import type { Body, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

export const createWebhooks = (transport: Transport) => ({
  list: (query: QueryOf<'listWebhooks'> = {}, options?: CallOptions) =>
    listOf<Item<'listWebhooks'>>(transport, '/webhooks', query, options),
  get: (id: string, options?: CallOptions) => get<'getWebhook'>(transport, path`/webhooks/${id}`, options),
  /** The reply holds the secret, this once; `verifyWebhook` needs it. */
  create: (webhook: Body<'createWebhook'>, options?: CallOptions) =>
    post<'createWebhook'>(transport, '/webhooks', webhook, options),
  /**
   * Makes the endpoint of this URL, or changes it: a program may call it at each start. The reply holds the secret only
   * where the endpoint is new.
   */
  put: (webhook: Body<'putWebhook'>, options?: CallOptions) =>
    call<'putWebhook'>(transport, { method: 'PUT', path: '/webhooks', body: webhook }, options),
  update: (id: string, change: Body<'updateWebhook'>, options?: CallOptions) =>
    patch<'updateWebhook'>(transport, path`/webhooks/${id}`, change, options),
  /** Makes a new secret; for the overlap deliveries carry a signature of each. */
  rotateSecret: (id: string, rotation: Body<'rotateWebhookSecret'> = {}, options?: CallOptions) =>
    post<'rotateWebhookSecret'>(transport, path`/webhooks/${id}/rotate-secret`, rotation, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/webhooks/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/webhooks/${id}`, options),
  /** Sends an event `webhook.test` there, and answers how its first attempt went. */
  test: (id: string, options?: CallOptions) =>
    post<'testWebhook'>(transport, path`/webhooks/${id}/test`, undefined, options),
  /** Sends what has happened in a range of time again. */
  replay: (id: string, range: Body<'replayWebhook'>, options?: CallOptions) =>
    post<'replayWebhook'>(transport, path`/webhooks/${id}/replay`, range, options),
  /** How many events that would be; nothing is sent. */
  previewReplay: (id: string, range: Body<'replayWebhook'>, options?: CallOptions) =>
    previewPost(transport, path`/webhooks/${id}/replay`, range, options),
  deliveries: {
    /** Newest first. */
    list: (webhookId: string, query: QueryOf<'listWebhookDeliveries'> = {}, options?: CallOptions) =>
      listOf<Item<'listWebhookDeliveries'>>(
        transport,
        path`/webhooks/${webhookId}/deliveries`,
        query,
        options,
      ),
    /** With what is sent, and every attempt. */
    get: (webhookId: string, id: string, options?: CallOptions) =>
      get<'getWebhookDelivery'>(transport, path`/webhooks/${webhookId}/deliveries/${id}`, options),
    /** Sends the same event again, as a delivery of its own. */
    redeliver: (webhookId: string, id: string, options?: CallOptions) =>
      post<'redeliverWebhookDelivery'>(
        transport,
        path`/webhooks/${webhookId}/deliveries/${id}/redeliver`,
        undefined,
        options,
      ),
  },
})

/** Callbacks of runs that were started with `callbackUrl`: their secret, and what was sent. */
export const createCallbacks = (transport: Transport) => ({
  /** Whether there is a secret. */
  secret: (options?: CallOptions) => get<'getCallbackSecret'>(transport, '/callbacks/secret', options),
  /** Makes the secret, or another. The reply holds it, this once; `verifyWebhook` needs it. */
  rotateSecret: (rotation: Body<'rotateCallbackSecret'> = {}, options?: CallOptions) =>
    post<'rotateCallbackSecret'>(transport, '/callbacks/secret/rotate', rotation, options),
  deliveries: {
    /** Newest first. */
    list: (query: QueryOf<'listCallbackDeliveries'> = {}, options?: CallOptions) =>
      listOf<Item<'listCallbackDeliveries'>>(transport, '/callbacks/deliveries', query, options),
    /** With what is sent, and every attempt. */
    get: (id: string, options?: CallOptions) =>
      get<'getCallbackDelivery'>(transport, path`/callbacks/deliveries/${id}`, options),
    /** Sends the same event again, as a delivery of its own. */
    redeliver: (id: string, options?: CallOptions) =>
      post<'redeliverCallback'>(transport, path`/callbacks/deliveries/${id}/redeliver`, undefined, options),
  },
})
