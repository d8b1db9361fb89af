/** The body of a delivery: the same bytes at every attempt, since they are made of nothing but the event. */
import type { Event } from '../events/schemas.ts'

export const payloadOf = (workspaceId: string, { id, type, createdAt, environment, data }: Event): string =>
  JSON.stringify({ id, type, timestamp: createdAt, workspaceId, environment, data })
