/** Idempotency-Key: a request is carried out once; its reply is kept for 24 hours and repeated. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { browserPageOf, type Caller, keyIdOf, type RequestCaller, type Scope } from '../../platform/caller.ts'
import { dayMs, secondMs } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import { ServiceError } from '../../platform/errors.ts'
import { timeOf } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import { createTurns } from '../../platform/turns.ts'
import type { ReceivedUpload } from '../bodies/multipart.ts'
import { headerText, wantsEvents } from '../request-headers.ts'
import type { Route } from '../route.ts'

const keptMs = dayMs
const leaseMs = 90 * secondMs
const renewEveryMs = 30 * secondMs
/** Each deleted row holds the body of a reply. */
const purgedAtOnce = 500

type StoredReply = {
  fingerprint: string
  status: number
  headers: Record<string, string>
  body: string
}

export type IdempotencyLock =
  | { kind: 'locked'; id: string }
  /**
   * The reply exists; it is repeated once the request has been read and found to be the same. `refusal` is thrown
   * instead if the caller's access has changed since then, or if the caller no longer reaches the record.
   */
  | Stored

type Stored = { kind: 'stored'; reply: StoredReply; refusal: ServiceError | null }
/** With the id of the record that the first request made or changed. */
type LockResult = Exclude<IdempotencyLock, Stored> | (Stored & { resourceId: string | null })

/** Whether the caller reaches the record. It may have been withheld or put into the trash since the first request. */
export type ReachesRecord = (caller: Caller, id: string) => Promise<boolean>

export type Idempotency = ReturnType<typeof createIdempotency>

export function createIdempotency(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    reachesRecord: ReachesRecord
  },
) {
  const { database, clock, newId, reachesRecord } = dependencies
  const held = new Set<string>()
  const renew = async (): Promise<void> => {
    if (held.size === 0) return
    await database.write(tx =>
      tx
        .updateTable('idempotency')
        .set({ lease_until: clock() + leaseMs })
        .where('id', 'in', [...held])
        .execute(),
    )
  }
  // If a renewal fails, the lease only runs out earlier; the next round tries again.
  const timer = setInterval(() => renew().catch(() => undefined), renewEveryMs)
  timer.unref()

  return {
    /** Locks the key before the body is read. Throws 409 while the first request runs, or if its reply was lost. */
    async lock(caller: RequestCaller, idempotencyKey: string, operation: string): Promise<IdempotencyLock> {
      const id = newId('event')
      const keyId = holderOf(caller)
      const lock = await database.write(tx =>
        takeLock(tx, { id, keyId, idempotencyKey, operation, caller, now: clock() }),
      )
      if (lock.kind === 'locked') {
        held.add(id)
        return lock
      }
      const { resourceId, ...stored } = lock
      if (stored.refusal !== null || stored.reply.body === '' || resourceId === null) return stored
      const isThere = await reachesRecord(caller, resourceId)
      return isThere ? stored : { ...stored, refusal: accessChanged(resourceId) }
    },
    /** Stores the reply. */
    async finish(id: string, reply: StoredReply): Promise<void> {
      held.delete(id)
      await database.write(tx =>
        tx
          .updateTable('idempotency')
          .set({
            state: 'done',
            fingerprint: reply.fingerprint,
            status: reply.status,
            headers: encodeJson(reply.headers),
            body: reply.body,
          })
          .where('id', '=', id)
          .execute(),
      )
    },
    /** Frees the key if the request had no effect; if it had one, a repetition gets an error that says so. */
    async release(id: string): Promise<void> {
      held.delete(id)
      await database.write(async tx => {
        await tx.deleteFrom('idempotency').where('id', '=', id).where('resource_id', 'is', null).execute()
        await tx.updateTable('idempotency').set({ lease_until: 0 }).where('id', '=', id).execute()
      })
    },
    /** Deletes keys that are older than 24 hours; returns how many. */
    purge: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteExpired(tx, clock(), limit)), purgedAtOnce),
    /** Ends every lease: for a start at which no other server can hold one. */
    async expireLeases(): Promise<void> {
      await database.write(tx => tx.updateTable('idempotency').set({ lease_until: 0 }).execute())
    },
    close: (): void => clearInterval(timer),
  }
}

async function deleteExpired(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('idempotency')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('idempotency').select('id').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * The owner of an Idempotency-Key: an API key, an end user of a page, or a person in one workspace and environment.
 */
const holderOf = (caller: RequestCaller): string => {
  const page = browserPageOf(caller)
  // One end user must not get another's reply. The same end user may repeat a request with the next token.
  if (page !== null)
    return createHash('sha256')
      .update(JSON.stringify([keyIdOf(caller), page.agentId, caller.scope.endUser?.id]))
      .digest('hex')
  if (caller.kind === 'key') return caller.keyId
  const { workspaceId, environment } = caller.scope
  return `${caller.userId}.${workspaceId}.${environment}`
}

/** The insert is the lock. A conflict is taken over only if the first request is over and left no trace. */
async function takeLock(
  tx: Tx,
  request: {
    id: string
    keyId: string
    idempotencyKey: string
    operation: string
    caller: RequestCaller
    now: number
  },
): Promise<LockResult> {
  const { id, keyId, idempotencyKey, operation, caller, now } = request
  const fresh = {
    id,
    operation,
    state: 'locked',
    fingerprint: null,
    reach: reachOf(caller, now),
    resource_id: null,
    lease_until: now + leaseMs,
    created_at: now,
    expires_at: now + keptMs,
  } as const
  const taken = await tx
    .insertInto('idempotency')
    .values({ ...fresh, key_id: keyId, idempotency_key: idempotencyKey })
    .onConflict(conflict =>
      conflict
        .columns(['key_id', 'idempotency_key'])
        .doUpdateSet(fresh)
        .where(({ eb, or, and }) =>
          or([
            eb('idempotency.expires_at', '<=', now),
            and([
              eb('idempotency.state', '=', 'locked'),
              eb('idempotency.lease_until', '<=', now),
              eb('idempotency.resource_id', 'is', null),
            ]),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst()
  if (taken !== undefined) return { kind: 'locked', id }
  const row = await tx
    .selectFrom('idempotency')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  if (row.state === 'done') {
    const isSameReach = row.reach === reachOf(caller, row.created_at)
    return {
      kind: 'stored',
      reply: storedReply(row),
      resourceId: row.resource_id,
      refusal: isSameReach ? null : accessChanged(row.resource_id),
    }
  }
  throw row.lease_until > now ? stillRunning() : replyLost(row.resource_id)
}

/**
 * A hash of what the caller may do and reaches, among the records of that time. A record that was kept to teams later
 * cannot be in the reply, unless it existed before.
 */
function reachOf({ role, permissions, scope }: Caller, at: number): string {
  const { agentIds, collectionIds, withheld }: Scope = scope
  const hidden = [...(withheld?.agentIds ?? []), ...(withheld?.collectionIds ?? [])]
  const parts = [
    role,
    [...permissions].sort(),
    agentIds?.toSorted() ?? null,
    collectionIds?.toSorted() ?? null,
    hidden.filter(id => timeOf(id) <= at).sort(),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function storedReply(row: {
  fingerprint: string | null
  status: number | null
  headers: string | null
  body: string | null
}): StoredReply {
  return {
    fingerprint: row.fingerprint ?? '',
    status: row.status ?? 200,
    headers: decodeJson<Record<string, string>>(row.headers ?? '{}'),
    body: row.body ?? '',
  }
}

const stillRunning = (): ServiceError =>
  new ServiceError('idempotency_in_progress', undefined, { headers: { 'retry-after': '1' } })

const accessChanged = (resourceId: string | null): ServiceError =>
  new ServiceError(
    'idempotency_interrupted',
    `The first request with this Idempotency-Key was answered${
      resourceId === null ? '' : ` (see ${resourceId})`
    }, but its record or your access has changed since, so its reply is not repeated. Read the record, or send a new key`,
  )

const replyLost = (resourceId: string | null): ServiceError =>
  new ServiceError(
    'idempotency_interrupted',
    `The first request with this Idempotency-Key was carried out (see ${resourceId}), but its reply was lost`,
  )

/** The same for the same request, in any order of its fields; files count by their hashes. */
export async function requestFingerprint(
  route: Route,
  request: FastifyRequest,
  headers: Record<string, unknown>,
  upload: ReceivedUpload | null,
): Promise<string> {
  // The name is part of the request: it becomes the document's name.
  const files = upload?.parts.map(({ sentAs, file }) => [sentAs, file?.sha256 ?? null]) ?? null
  const parts = {
    operation: route.operationId,
    url: request.url,
    ifMatch: headerText(request, 'if-match'),
    events: route.answersEvents === 'asked' && wantsEvents(request) ? true : undefined,
    body: upload?.fields ?? request.body ?? null,
    headers: route.headers === undefined ? undefined : headers,
    files,
  }
  const hash = createHash('sha256')
  const othersTurn = createTurns()
  for (const piece of canonicalPieces(parts)) {
    hash.update(piece)
    await othersTurn()
  }
  return hash.digest('hex')
}

/** A long list is cut into slices: a list of ten thousand items would block the event loop for too long. */
const itemsOfPiece = 100
/** The parts hold the body, and the body holds its lists. */
const depthOfLists = 2

/** The pieces of `canonicalJson` of the value. */
function* canonicalPieces(value: unknown, depth = 0): Generator<string> {
  if (Array.isArray(value)) {
    for (let start = 0; start < value.length; start += itemsOfPiece) {
      const items = canonicalJson(value.slice(start, start + itemsOfPiece)).slice(1, -1)
      yield `${start === 0 ? '[' : ','}${items}`
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (typeof value === 'object' && value !== null && depth < depthOfLists) {
    let before = '{'
    for (const [name, item] of sortedEntries(value)) {
      if (item === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* canonicalPieces(item, depth + 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  } else yield canonicalJson(value)
}

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(sortedEntries(item))
      : item,
  )

const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
