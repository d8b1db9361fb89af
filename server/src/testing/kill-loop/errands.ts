/** What the kill loop does beside its documents: longer dealings of many requests, each in a collection of its own. */
import assert from 'node:assert/strict'
import type { WebhookReceiver } from '../servers/webhook-receiver.ts'
import type { Call } from './call.ts'
import { createConnectionErrand } from './connection-errand.ts'
import type { Errand } from './errand.ts'
import { createImportErrand } from './import-errand.ts'
import type { KeptService } from './kept-service.ts'
import { createResumableErrand } from './resumable-errand.ts'
import { createRunErrand } from './run-errand.ts'
import type { RunPeers } from './run-peers.ts'
import { createSyncErrand } from './sync-errand.ts'
import { createWebhookErrand } from './webhook-errand.ts'
import { createZipErrand } from './zip-errand.ts'

/** What is asked of a server, and where it is to be killed: by its documents, its runs, its webhooks, its connections. */
export const subjects = ['knowledge', 'runs', 'webhooks', 'connections'] as const
export type Subject = (typeof subjects)[number]

export const createErrands = async (
  call: Call,
  {
    random,
    peers,
    receiver,
    kept,
    subjects,
  }: {
    random: () => number
    peers: RunPeers
    receiver: WebhookReceiver
    kept: KeptService
    subjects: readonly Subject[]
  },
): Promise<Errand[]> => [
  ...(subjects.includes('knowledge') ? await knowledgeErrands(call, random) : []),
  ...(subjects.includes('runs') ? [await createRunErrand(call, peers, random)] : []),
  ...(subjects.includes('webhooks') ? [await createWebhookErrand(call, receiver, random)] : []),
  ...(subjects.includes('connections') ? [await createConnectionErrand(call, kept, random)] : []),
]

const knowledgeErrands = async (call: Call, random: () => number): Promise<Errand[]> => [
  createResumableErrand(await collectionOf(call, 'Resumed'), random),
  createSyncErrand(await collectionOf(call, 'Synced'), random),
  createZipErrand(await collectionOf(call, 'Zipped'), random),
  createImportErrand(await collectionOf(call, 'Exported'), random),
]

async function collectionOf(call: Call, name: string): Promise<string> {
  const reply = await call('POST', '/knowledge/collections', { json: { name } })
  assert.equal(reply?.status, 201, JSON.stringify(reply))
  return reply.body.data.id
}
