/** Endpoints for callbacks of runs: the secret that signs them, and their log. */
import { accepted, defineRoute, listed, ok, type Route, standardList } from '../../../http/route.ts'
import { environments } from '../../../platform/caller.ts'
import { toOptionalTimestamp } from '../../../platform/clock.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { presentAttempt, presentSent } from '../deliveries/deliveries-routes.ts'
import type { DeliveryDetail, WebhookDeliveryService } from '../deliveries/deliveries-service.ts'
import {
  CallbackDelivery,
  CallbackDeliveryDetail,
  CallbackFilter,
  callbackDetailExample,
  callbackExample,
  SecretRotation,
} from '../records/deliveries-schemas.ts'
import type { CallbackService } from './callbacks-service.ts'

const CallbackSecret = Type.Closed('CallbackSecret', {
  environment: stringEnum(environments, {
    description: 'Environment of the runs whose callbacks it signs.',
  }),
  rotatedAt: nullable(
    timestamp({
      description: 'When the secret was made; null if there is none yet, and runs take no `callbackUrl`.',
    }),
  ),
  previousSecretExpiresAt: nullable(
    timestamp({ description: 'Until when callbacks also carry a signature with the previous secret.' }),
  ),
})
type CallbackSecret = Static<typeof CallbackSecret>

const ShownCallbackSecret = Type.Closed('ShownCallbackSecret', {
  ...CallbackSecret.properties,
  secret: Type.Optional(
    Type.String({
      description:
        'Secret for verifying callbacks: `whsec_` and 32 bytes in base64. Only this reply has it; a replayed reply leaves it out.',
    }),
  ),
})

const callbackSecretExample: CallbackSecret = {
  environment: 'live',
  rotatedAt: '2026-11-21T09:30:00.000Z',
  previousSecretExpiresAt: null,
}

export const callbackRoutes = (
  callbacks: CallbackService,
  { callbacks: deliveries }: WebhookDeliveryService,
): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/callbacks/secret',
    operationId: 'getCallbackSecret',
    summary: 'Get the state of the callback secret',
    description: "Tells whether the key's environment has a secret for callbacks, without the secret.",
    permission: 'webhooks:read',
    data: CallbackSecret,
    example: callbackSecretExample,
    handle: async ({ caller }) => ok(presentSecret(caller.scope, await callbacks.secret(caller))),
  }),
  defineRoute({
    method: 'POST',
    path: '/callbacks/secret/rotate',
    operationId: 'rotateCallbackSecret',
    summary: 'Make or rotate the callback secret',
    description:
      "Creates the secret that signs the callbacks of all runs in the key's environment, and shows it once. During the overlap, callbacks carry a signature for each secret, so the receiver can switch at any time.",
    permission: 'webhooks:write',
    audit: 'workspace.rotate_callback_secret',
    wholeWorkspace: true,
    body: SecretRotation,
    bodyExample: { overlapSeconds: 86_400 },
    data: ShownCallbackSecret,
    example: { ...callbackSecretExample, secret: 'whsec_…' },
    secrets: ['secret'],
    handle: async ({ caller, body }) => {
      const { row, secret } = await callbacks.rotateSecret(caller, body.overlapSeconds ?? 86_400)
      return ok({ ...presentSecret(caller.scope, row), secret })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/callbacks/deliveries',
    operationId: 'listCallbackDeliveries',
    summary: 'List callback deliveries',
    description:
      'Deliveries to the `callbackUrl` of runs, sent and pending, newest first, of events that the key may read. A narrowed key sees only those of runs with its own narrowing. They are kept as long as those of endpoints.',
    permission: 'webhooks:read',
    query: CallbackFilter,
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(CallbackDelivery),
    example: [callbackExample],
    handle: async ({ caller, query, page }) =>
      listed(await deliveries.list(caller, query, page), page, presentCallback),
  }),
  defineRoute({
    method: 'GET',
    path: '/callbacks/deliveries/:id',
    operationId: 'getCallbackDelivery',
    summary: 'Get a callback delivery',
    description:
      'Returns one delivery: its content as the key may read it, and each attempt with request, response and duration. 404 if the key may not read its event.',
    permission: 'webhooks:read',
    data: CallbackDeliveryDetail,
    example: callbackDetailExample,
    handle: async ({ caller, params }) => ok(presentDetail(await deliveries.get(caller, params.id))),
  }),
  defineRoute({
    method: 'POST',
    path: '/callbacks/deliveries/:id/redeliver',
    operationId: 'redeliverCallback',
    summary: 'Call back again',
    description:
      'Sends the event of a delivery to the same URL again, whatever its result, as a new delivery with the same `webhook-id`.',
    permission: 'webhooks:write',
    audit: 'run.call_back',
    data: CallbackDelivery,
    example: { ...callbackExample, origin: 'redelivery', status: 'pending', attemptCount: 0 },
    success: [202],
    errors: ['event_expired'],
    handle: async ({ caller, params }) => {
      const row = await deliveries.redeliver(caller, params.id)
      return accepted(presentCallback(row), `/callbacks/deliveries/${row.id}`)
    },
  }),
]

const presentSecret = (
  { environment }: Pick<CallbackSecret, 'environment'>,
  row: Awaited<ReturnType<CallbackService['secret']>>,
): CallbackSecret => ({
  environment,
  rotatedAt: toOptionalTimestamp(row?.updated_at ?? null),
  previousSecretExpiresAt: toOptionalTimestamp(row?.previous_secret_expires_at ?? null),
})

const presentCallback = (row: DeliveryDetail['row']): CallbackDelivery => ({
  ...presentSent(row),
  // A callback always has a run and a URL.
  runId: row.run_id ?? '',
  url: row.url ?? '',
})

const presentDetail = ({ row, attempts, body }: DeliveryDetail): CallbackDeliveryDetail => ({
  ...presentCallback(row),
  body,
  attempts: attempts.map(attempt => presentAttempt(attempt, row.event_id)),
})
