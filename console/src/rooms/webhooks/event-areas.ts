/** What an endpoint can be told of, by area, in words that say when it is sent. */
import type { Webhook } from '@atrium/sdk'

export type EventType = NonNullable<Webhook['eventTypes']>[number]

type EventArea = {
  area: string
  /** What a person needs in order to hear of it. */
  permission: string
  types: readonly { type: EventType; when: string }[]
}

export const eventAreas: readonly EventArea[] = [
  {
    area: 'Runs',
    permission: 'agents:read',
    types: [
      { type: 'run.succeeded', when: 'An agent has answered' },
      { type: 'run.failed', when: 'A run has failed' },
      { type: 'run.cancelled', when: 'A run was cancelled' },
      { type: 'run.waiting', when: 'A run waits for an approval' },
    ],
  },
  {
    area: 'Knowledge',
    permission: 'knowledge:read',
    types: [
      { type: 'document.ready', when: 'A document can be found' },
      { type: 'document.failed', when: 'A document could not be read' },
      { type: 'document.deleted', when: 'A document was deleted' },
      { type: 'collection.deleted', when: 'A collection was deleted' },
    ],
  },
  {
    area: 'Connections',
    permission: 'integrations:read',
    types: [
      { type: 'connection.active', when: 'A service is connected' },
      { type: 'connection.needs_reauth', when: 'A connection needs to be reconnected' },
      { type: 'connection.failed', when: 'A connection has failed' },
      { type: 'connection.deleted', when: 'A service was disconnected' },
      { type: 'connection.sync_succeeded', when: 'A connection was synchronized' },
      { type: 'connection.sync_failed', when: 'A sync has failed' },
    ],
  },
  {
    area: 'Members',
    permission: 'members:read',
    types: [
      { type: 'member.joined', when: 'Somebody has joined' },
      { type: 'member.changed', when: 'A role has changed' },
      { type: 'member.removed', when: 'Somebody was removed or has left' },
    ],
  },
  {
    area: 'Keys',
    permission: 'keys:read',
    types: [
      { type: 'key.created', when: 'An API key was made' },
      { type: 'key.rotated', when: 'A key has a new secret' },
      { type: 'key.revoked', when: 'A key was revoked' },
    ],
  },
  {
    area: 'Limits and webhooks',
    permission: 'usage:read',
    types: [
      { type: 'limit.reached', when: 'A limit of the plan is reached' },
      { type: 'webhook.disabled', when: 'An endpoint was disabled' },
    ],
  },
]
