/** Starts the run for a request to a trigger. */
import { createHash } from 'node:crypto'
import type { Allowance, Limiter } from '../../../platform/admission.ts'
import type { Caller } from '../../../platform/caller.ts'
import { dayMs, secondMs } from '../../../platform/clock.ts'
import { isSigned, type ReceivedSignature, secretField } from '../../../platform/crypto/webhook-signatures.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { notFound, ServiceError, tooManyRequests } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { bySlices } from '../../../platform/schedules/rounds.ts'
import type { StopReason } from '../../events/data-schemas.ts'
import {
  deleteDeliveries,
  findDelivery,
  findTriggerByToken,
  insertDelivery,
  noteRequest,
  type TriggerRow,
} from './starter-store.ts'
import {
  actingFor,
  endedBy,
  errorColumn,
  recordStop,
  type StarterDependencies,
  stopColumns,
} from './starters.ts'
import { runInputs } from './template.ts'

/** A request to a trigger. `bytes` is the body as it was sent. */
export type Delivery = {
  body: unknown
  bytes: Buffer
  origin: { requestId: string; address: string; idempotencyKey: string | null; hops: number }
  signed: ReceivedSignature
}

/** The same time as a reply is kept for an `Idempotency-Key`. */
const keptMs = dayMs
const forgottenAtOnce = 500
const tokenPattern = /^tt_[0-9A-Za-z]{43}$/

/** A delivery with this name exists already. Rolls the transaction back. */
class Repeated extends Error {}

type Dependencies = StarterDependencies &
  Pick<Platform, 'seals' | 'keyring'> & { limiter: Pick<Limiter, 'count' | 'countTrigger'> }

export type TriggerRequests = ReturnType<typeof createTriggerRequests>

export function createTriggerRequests(dependencies: Dependencies) {
  const { database, clock, keyring, seals, limiter, runs } = dependencies

  /** The trigger that the token opens; undefined for any other text. */
  async function findByToken(token: string): Promise<TriggerRow | undefined> {
    if (!tokenPattern.test(token)) return undefined
    return await findTriggerByToken(database.read, keyring.keyedHash('token', token), clock())
  }

  async function checkSignature(row: TriggerRow, { signed, bytes }: Delivery): Promise<void> {
    const now = clock()
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    const hasPrevious = row.previous_secret !== null && (row.previous_expires_at ?? 0) > now
    const sealed = [row.secret, ...(hasPrevious ? [row.previous_secret ?? ''] : [])]
    const secrets = await Promise.all(sealed.map(one => seals.open(scope, secretField(row.id), one)))
    if (isSigned(signed, bytes, secrets, now)) return
    throw new ServiceError(
      'signature_invalid',
      'The signature is missing, wrong or too old: sign with the secret of this trigger by Standard Webhooks',
    )
  }

  const stop = (row: TriggerRow, reason: StopReason): Promise<void> =>
    database.write(async tx => {
      const change = { ...stopColumns(reason, clock()), revision: row.revision + 1 }
      // Another request may have stopped the trigger already. The stop is recorded only once.
      if (await noteRequest(tx, row, change)) {
        await recordStop(dependencies, tx, { kind: 'trigger', row }, reason)
      }
    })

  /**
   * The run that a delivery with one of these names has started. Throws `idempotency_mismatch` if that delivery had
   * another body.
   */
  async function earlierRun(row: TriggerRow, names: readonly DeliveryName[]): Promise<string | null> {
    for (const name of names) {
      const earlier = await findDelivery(database.read, row.id, name.name_hash)
      if (earlier === undefined || earlier.created_at <= clock() - keptMs) continue
      if (earlier.body_hash !== name.body_hash) throw new ServiceError('idempotency_mismatch')
      return earlier.run_id
    }
    return null
  }

  return {
    /** Counts a request before its body is read; null if the token opens no trigger. */
    async countRequest(token: string): Promise<Allowance | null> {
      const row = await findByToken(token)
      return row === undefined ? null : await limiter.countTrigger(row.id, row.requests_per_minute)
    },

    /**
     * Starts a run, or returns the run that the same delivery has started before. Throws 404 for an unknown token,
     * 409 `trigger_paused`, 403 `signature_invalid`, a 400 that names each missing field, and like `startRun`.
     */
    async fire(token: string, delivery: Delivery): Promise<{ runId: string; isRepeated: boolean }> {
      const row = await findByToken(token)
      if (row === undefined) throw notFound('There is no trigger with this token', { resource: 'trigger' })
      const isChecked = row.require_signature === 1
      if (isChecked) await checkSignature(row, delivery)
      if (row.status !== 'active') throw stopped(row)
      const names = namesOf(delivery, isChecked)
      const earlier = await earlierRun(row, names)
      if (earlier !== null) return { runId: earlier, isRepeated: true }
      const { caller, ended } = await actingFor(dependencies, { kind: 'trigger', row }, delivery.origin)
      if (ended !== null) {
        await stop(row, ended)
        throw stopped(row)
      }
      await spend(caller)
      const claim = async (tx: Tx, runId: string): Promise<void> => {
        const now = clock()
        for (const name of names) {
          const taken = { trigger_id: row.id, ...name, run_id: runId, created_at: now }
          if (!(await insertDelivery(tx, taken, now - keptMs))) throw new Repeated()
        }
        const run = { last_run_id: runId, last_run_at: now, last_error: null }
        if (!(await noteRequest(tx, row, run))) throw changedMeanwhile(row.id)
      }
      try {
        const templates = { promptTemplate: row.prompt_template, variables: decodeJson(row.variables) }
        const newRun = { ...runInputs(templates, delivery.body), metadata: decodeJson(row.metadata) }
        const starter = { id: row.id, claim }
        const runId = await runs.enqueue(caller, { agentId: row.agent_id, newRun, starter })
        return { runId, isRepeated: false }
      } catch (error) {
        if (error instanceof Repeated) {
          return { runId: (await earlierRun(row, names)) ?? '', isRepeated: true }
        }
        throw await refusalOf(row, error)
      }
    },

    /** Deletes deliveries that are a day old. Returns how many. */
    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteDeliveries(tx, clock() - keptMs, limit)), forgottenAtOnce),
  }

  /** Counts the request for the workspace, like any request of the member or key. */
  async function spend(caller: Caller): Promise<void> {
    const { allowed, limit, resetAtSeconds } = await limiter.count(caller)
    if (allowed) return
    const seconds = Math.min(60, Math.max(1, Math.ceil(resetAtSeconds - clock() / secondMs)))
    throw tooManyRequests(`Too many requests: the workspace allows ${limit} a minute`, seconds, {
      limit,
      unit: 'requests per minute',
    })
  }

  /** The error that the sender gets. The trigger's row keeps it too, for the people who look after the trigger. */
  async function refusalOf(row: TriggerRow, error: unknown): Promise<unknown> {
    const reason = endedBy(error)
    if (reason !== null) {
      await stop(row, reason)
      return stopped(row)
    }
    if (error instanceof ServiceError && !error.retryable) {
      await database.write(tx => noteRequest(tx, row, { last_error: errorColumn(error, clock()) }))
    }
    return error
  }
}

/** The run would follow the trigger's earlier settings, and perhaps act for another caller. */
const changedMeanwhile = (id: string): ServiceError =>
  new ServiceError('concurrent_change', 'The trigger was changed at the same time; send the payload again', {
    details: { resource: 'trigger', id },
  })

const stopped = ({ id, status }: TriggerRow): ServiceError =>
  new ServiceError('trigger_paused', undefined, {
    details: { triggerId: id, status: status === 'active' ? 'stopped' : status },
  })

type DeliveryName = { name_hash: string; body_hash: string }

/**
 * A message's id counts only if it is signed, because anybody could write another id. An `Idempotency-Key` is not
 * signed, so both names count: a signed message starts no second run under another key.
 */
function namesOf(
  { origin: { idempotencyKey }, signed, bytes }: Delivery,
  isChecked: boolean,
): DeliveryName[] {
  const names = new Set([idempotencyKey, isChecked ? signed.id : null])
  const body_hash = hashOf(bytes)
  return [...names].filter(name => name !== null).map(name => ({ name_hash: hashOf(name), body_hash }))
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
