/** Whether a record is there for a caller: what a kept reply tells of may be in the trash since, or beyond their reach. */

import type { Services } from './features.ts'
import type { ReachesRecord } from './http/idempotency/idempotency.ts'
import { ServiceError } from './platform/errors.ts'
import { idPrefixes } from './platform/ids.ts'

export function createReachesRecord(services: Services): ReachesRecord {
  const { agents, collections, documents, integrations, runs } = services
  const now = { waitMs: 0, signal: new AbortController().signal }
  const readers: Readonly<Record<string, ReadRecord>> = {
    [idPrefixes.agent]: agents.get,
    [idPrefixes.collection]: collections.get,
    [idPrefixes.connection]: integrations.get,
    [idPrefixes.document]: (caller, id) => documents.get(caller, id, now),
    [idPrefixes.run]: (caller, id) => runs.get(caller, id, now),
  }
  return async (caller, id) => {
    const read = readers[id.slice(0, id.indexOf('_'))]
    // What only a deletion takes away: that drops the reply.
    if (read === undefined) return true
    return read(caller, id).then(
      () => true,
      error => {
        if (error instanceof ServiceError && error.code === 'not_found') return false
        throw error
      },
    )
  }
}

type ReadRecord = (...asked: Parameters<ReachesRecord>) => Promise<unknown>
