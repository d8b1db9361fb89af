/** Webhooks under the kill loop: whatever was acknowledged is told, at least once, under one id and with one body. */
import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import type { Query } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Received, WebhookReceiver } from '../servers/webhook-receiver.ts'
import type { Call } from './call.ts'
import type { Errand } from './errand.ts'

const type = 'collection.deleted'
const path = '/killed'
const atOnce = 3
/** Some are refused when they come for the first time. */
const refusedShare = 0.2

export async function createWebhookErrand(
  call: Call,
  receiver: WebhookReceiver,
  random: () => number,
): Promise<Errand> {
  const seen = new Set<string>()
  receiver.answer(path, (request, response) => {
    const id = String(request.headers['webhook-id'])
    const isRefused = !seen.has(id) && random() < refusedShare
    seen.add(id)
    response.writeHead(isRefused ? 500 : 204).end()
  })
  const body = { url: `${receiver.origin}${path}`, eventTypes: [type] }
  const made = await call('POST', '/webhooks', { json: body })
  assert.equal(made?.status, 201, JSON.stringify(made))
  const { id: webhookId, secret } = made.body.data
  const deleted = new Set<string>()

  const deleteOne = async (call: Call): Promise<boolean> => {
    const collection = await call('POST', '/knowledge/collections', { json: { name: 'Told' } })
    if (collection === null) return false
    const { id } = collection.body.data
    const reply = await call('DELETE', `/knowledge/collections/${id}`)
    if (reply === null) return false
    assert.equal(reply.status, 204, JSON.stringify(reply))
    deleted.add(id)
    return true
  }

  return {
    changes: atOnce,
    async run(call) {
      const ends = await Promise.all(Array.from({ length: atOnce }, () => deleteOne(call)))
      return !ends.includes(false)
    },
    async check(_call, query) {
      const events = await query.selectFrom('events').selectAll().where('type', '=', type).execute()
      const told = new Map(events.map(({ id, data }) => [String(decodeJson(data).id), id]))
      const arrived = Map.groupBy(
        receiver.received.filter(one => one.path === path),
        ({ headers }) => String(headers['webhook-id']),
      )
      const known = new Set(events.map(({ id }) => id))
      return [
        ...[...deleted].filter(id => !told.has(id)).map(id => `${id} was deleted, and no webhook is told`),
        ...[...arrived.keys()].filter(id => !known.has(id)).map(id => `${id} was told, and never happened`),
        ...(told.size < events.length ? ['a deletion is told by two events'] : []),
        ...(await faultsOfDeliveries(query, webhookId, known)),
        ...events.flatMap(({ id }) => faultsOfArrivals(id, arrived.get(id) ?? [], secret)),
      ]
    },
  }
}

async function faultsOfDeliveries(query: Query, webhookId: string, known: Set<string>): Promise<string[]> {
  const rows = await query
    .selectFrom('webhook_deliveries')
    .selectAll('webhook_deliveries')
    .select(({ selectFrom, fn }) =>
      selectFrom('webhook_attempts')
        .select(fn.countAll<number>().as('count'))
        .whereRef('delivery_id', '=', 'webhook_deliveries.id')
        .as('logged'),
    )
    .where('webhook_id', '=', webhookId)
    .execute()
  const faults = rows.flatMap(({ id, status, attempts, logged }) => [
    ...(status === 'delivered' ? [] : [`${id} is ${status}`]),
    ...(Number(logged) === attempts ? [] : [`${id} has ${logged} of ${attempts} attempts in its log`]),
  ])
  const told = new Set(rows.map(({ event_id }) => event_id))
  if (told.size < rows.length) faults.push('an event has two deliveries')
  for (const id of known) if (!told.has(id)) faults.push(`${id} has no delivery`)
  return faults
}

function faultsOfArrivals(id: string, arrivals: readonly Received[], secret: string): string[] {
  const [first] = arrivals
  if (first === undefined) return [`${id} never arrived`]
  const faults = arrivals.some(({ body }) => body !== first.body) ? [`${id} came with two bodies`] : []
  for (const { body, headers } of arrivals) {
    // Signed again rather than verified: it came some rounds ago, and would be too old.
    const signed = new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1_000), body)
    if (headers['webhook-signature'] !== signed) faults.push(`${id} has another signature`)
  }
  return faults
}
