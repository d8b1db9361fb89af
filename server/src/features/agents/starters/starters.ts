/** What schedules and triggers share: how they act for a caller, and how they stop once the caller loses access. */
import { type Caller, narrowingOf, systemCaller } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { forbidden, found, limitReached, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, type Deletion } from '../../../platform/revision.ts'
import { restoreCaller, storeCaller } from '../../../platform/stored-caller.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { AuditService } from '../../audit/service.ts'
import type { StopReason } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { revisionToRun } from '../definitions/agent-content.ts'
import type { AgentReach } from '../definitions/agent-reach.ts'
import { type AgentRow, findAgent } from '../definitions/agent-store.ts'
import { checkVariables } from '../inputs/variables.ts'
import type { CurrentCaller } from '../records/run-callers.ts'
import { readableRunIds } from '../records/run-store.ts'
import type { RunService } from '../runs/run-service.ts'
import { checkTools } from '../runs/run-start.ts'
import type { OfAgent, ScheduleRow, StarterStore, TriggerRow } from './starter-store.ts'

export type StarterDependencies = Pick<Platform, 'database' | 'clock' | 'newId' | 'log'> & {
  audit: AuditService
  outbox: Outbox
  tools: readonly Tool[]
  currentCaller: CurrentCaller
  runs: Pick<RunService, 'enqueue'>
  agentReach: Pick<AgentReach, 'checkAgent'>
}

export type Starter = { kind: 'schedule'; row: ScheduleRow } | { kind: 'trigger'; row: TriggerRow }

const mostOfAgent = 20
const mostOfWorkspace = 200

/** Throws 409 if one more would be too many. */
export function checkCounts(kind: Starter['kind'], counts: { ofAgent: number; ofWorkspace: number }): void {
  const most = (limit: number, whose: string) =>
    limitReached(`${kind}s`, limit, `${whose} has at most ${limit} ${kind}s; delete one first`)
  if (counts.ofAgent >= mostOfAgent) throw most(mostOfAgent, 'An agent')
  if (counts.ofWorkspace >= mostOfWorkspace) throw most(mostOfWorkspace, 'A workspace')
}

/** Throws 404 if there is no such agent for the caller. */
export async function requireAgent(
  { database }: Pick<StarterDependencies, 'database'>,
  { scope }: Caller,
  agentId: string,
): Promise<AgentRow> {
  return found(await findAgent(scope, database.read, agentId))
}

/** The agent to change something of. Throws 403 if the agent reaches further than the caller. */
export async function requireWholeAgent(
  { database, agentReach }: Pick<StarterDependencies, 'database' | 'agentReach'>,
  caller: Caller,
  agentId: string,
): Promise<AgentRow> {
  const agent = await requireAgent({ database }, caller, agentId)
  await agentReach.checkAgent(caller, database.read, agent)
  return agent
}

/** Throws 403 if the caller could not run the agent, and a 400 that names variables that are unknown or missing. */
export async function checkStart(
  { database, tools }: Pick<StarterDependencies, 'database' | 'tools'>,
  caller: Caller,
  agent: AgentRow,
  variables: Record<string, string>,
): Promise<void> {
  if (!caller.permissions.has('agents:run')) {
    throw forbidden('permission', 'Its runs act for you: that needs the permission agents:run', {
      permission: 'agents:run',
    })
  }
  const toRun = await revisionToRun(caller.scope, database.read, agent)
  checkTools(caller, toRun, tools)
  checkVariables(toRun.content, variables)
}

type StarterChange = { status?: 'active' | 'paused'; variables?: Record<string, string> }

type Kind<Row extends ScheduleRow | TriggerRow, Change> = {
  kind: Starter['kind']
  store: StarterStore<Row>
  checkChange?: (change: Change) => void
  columnsOf: (row: Row, change: Change) => Partial<Row>
}

/** The operations that schedules and triggers share. */
export function createStarterVerbs<Row extends ScheduleRow | TriggerRow, Change extends StarterChange>(
  dependencies: StarterDependencies,
  { kind, store, checkChange, columnsOf }: Kind<Row, Change>,
) {
  const { database, clock, audit } = dependencies

  return {
    async list(caller: Caller, agentId: string, page: PageRequest): Promise<Page<Row>> {
      await requireAgent(dependencies, caller, agentId)
      const { items, total } = await store.list(caller.scope, database.read, agentId, page)
      return { items: await asReadable(dependencies, caller, items), total }
    },

    async get(caller: Caller, which: OfAgent): Promise<Row> {
      await requireAgent(dependencies, caller, which.agentId)
      const row = found(await store.find(caller.scope, database.read, which))
      return await asReadableRow(dependencies, caller, row)
    },

    /** Any change except a pause makes the schedule or trigger act for the caller. Throws like `create`. */
    async update(caller: Caller, which: OfAgent, change: Change, ifMatch: string | null): Promise<Row> {
      const { scope } = caller
      const { agentId, id } = which
      const agent = await requireWholeAgent(dependencies, caller, agentId)
      const before = found(await store.find(scope, database.read, which))
      const isPause = onlyPauses(change)
      if (!isPause) {
        await checkStart(dependencies, caller, agent, change.variables ?? decodeJson(before.variables))
      }
      checkChange?.(change)
      const changed = await database.write(async tx => {
        const row = found(await store.lock(scope, tx, which))
        checkRevision(ifMatch, row)
        const bound = isPause ? {} : actsFor(caller)
        const columns = { ...columnsOf(row, change), ...bound, updated_at: clock() }
        const updated = await store.update(scope, tx, id, columns)
        const details = { agentId, fields: Object.keys(change), status: updated.status }
        await audit.record(tx, caller, { action: `${kind}.update`, resourceId: id, details })
        return updated
      })
      return await asReadableRow(dependencies, caller, changed)
    },

    /** Runs that the schedule or trigger has started continue. */
    async remove(caller: Caller, which: OfAgent, { ifMatch, dryRun }: Deletion): Promise<void> {
      const { agentId, id } = which
      await requireWholeAgent(dependencies, caller, agentId)
      await database.write(async tx => {
        const row = found(await store.lock(caller.scope, tx, which))
        checkRevision(ifMatch, row)
        if (dryRun) return
        await store.delete(caller.scope, tx, id)
        const details = { agentId, name: row.name }
        await audit.record(tx, caller, { action: `${kind}.delete`, resourceId: id, details })
      })
    },
  }
}

/** The columns of the caller that started runs act for: the caller that asks for runs is responsible for them. */
export const actsFor = (caller: Caller) => ({ caller: storeCaller(caller), user_id: caller.userId })

/** Pausing needs no permission to run the agent. */
export const onlyPauses = (change: { status?: string }): boolean =>
  change.status === 'paused' && Object.keys(change).length === 1

type Acting = { caller: Caller; ended: null } | { caller: null; ended: StopReason }

/** The caller that a started run acts for, with its present permissions, or the reason to start no more runs. */
export async function actingFor(
  { database, currentCaller }: StarterDependencies,
  { row }: Starter,
  { requestId, address, hops = 0 }: Pick<Caller, 'requestId' | 'address' | 'hops'>,
): Promise<Acting> {
  const ended = (reason: StopReason): Acting => ({ caller: null, ended: reason })
  const caller = await currentCaller(restoreCaller(row.caller))
  if (caller === null) return ended('access_ended')
  if (!caller.permissions.has('agents:run')) return ended('permission_missing')
  if ((await findAgent(caller.scope, database.read, row.agent_id)) === undefined)
    return ended('agent_unreachable')
  return { caller: { ...caller, requestId, address, hops }, ended: null }
}

/** The reason to stop if a refusal means that the access has ended. Null if the next attempt may be accepted. */
export function endedBy(error: unknown): StopReason | null {
  if (!(error instanceof ServiceError)) return null
  if (error.code === 'permission_missing') return 'permission_missing'
  return error.code === 'not_found' ? 'agent_unreachable' : null
}

/** The change that stops a schedule or a trigger. */
export const stopColumns = (reason: StopReason, now: number) => ({
  status: 'stopped' as const,
  stopped_reason: reason,
  updated_at: now,
})

/** Records in the same transaction that the server stopped it: an audit entry and an event. */
export async function recordStop(
  { audit, outbox, clock, newId }: StarterDependencies,
  tx: Tx,
  { kind, row }: Starter,
  reason: StopReason,
): Promise<void> {
  const { id, workspace_id: workspaceId, environment, agent_id: agentId, user_id: userId } = row
  const caller = systemCaller({ workspaceId, environment }, newId('request'), userId)
  await audit.record(tx, caller, { action: `${kind}.stop`, resourceId: id, details: { agentId, reason } })
  await outbox.record(tx, {
    workspaceId,
    environment,
    agentId,
    narrowing: narrowingOf(restoreCaller(row.caller).scope),
    at: clock(),
    type: `${kind}.stopped`,
    data: { id, agentId, reason },
  })
}

/** Hides the last run from a caller who may not read that run. */
export async function asReadable<Row extends { last_run_id: string | null }>(
  { database }: Pick<StarterDependencies, 'database'>,
  { scope }: Caller,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.flatMap(({ last_run_id: id }) => id ?? [])
  const readable = await readableRunIds(scope, database.read, ids)
  return rows.map(row => (readable.has(row.last_run_id ?? '') ? row : { ...row, last_run_id: null }))
}

export async function asReadableRow<Row extends { last_run_id: string | null }>(
  dependencies: Pick<StarterDependencies, 'database'>,
  caller: Caller,
  row: Row,
): Promise<Row> {
  const [readable = row] = await asReadable(dependencies, caller, [row])
  return readable
}

const mostErrorCharacters = 500

export const errorColumn = ({ code, message, errors }: ServiceError, at: number) => {
  const faults = errors.map(fault => `${fault.field} ${fault.message}`).join('; ')
  const text = faults === '' ? message : `${message}: ${faults}`
  return encodeJson({ code: String(code), message: text.slice(0, mostErrorCharacters), at })
}

export function presentError(json: Json<{ code: string; message: string; at: number }> | null) {
  if (json === null) return null
  const { at, ...rest } = decodeJson(json)
  return { ...rest, at: toTimestamp(at) }
}
