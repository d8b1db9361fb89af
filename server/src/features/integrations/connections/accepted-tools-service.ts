/**
 * Which tools of a connected server agents may use. The server lists tools, a person accepts them, and a changed tool
 * is off again.
 */
import type { Connector, RemoteSession } from '@atrium/connectors'
import { HttpFailure } from '@atrium/connectors'
import { type Caller, type Scope, systemCaller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { type FieldError, found, notFound, ServiceError } from '../../../platform/errors.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { ConnectorHost } from '../credentials/connector-host.ts'
import { trialTimeoutMs } from '../credentials/trial.ts'
import { changeable } from '../records/changeable.ts'
import { type LostTools, recordLostTools } from '../records/connection-outbox.ts'
import type { ToolsChange } from '../records/remote-tools-schemas.ts'
import {
  deleteTool,
  insertTool,
  isUsable,
  noteListing,
  type RemoteToolRow,
  toolsOfConnection,
  updateTool,
} from '../records/remote-tools-store.ts'
import { type ConnectionRow, findConnection, lockConnection } from '../records/store.ts'
import { type ListedTools, needsApprovalByDefault, readTools } from '../records/tool-definitions.ts'

export type ToolsRefreshed = {
  row: ConnectionRow
  added: number
  changed: number
  removed: number
}

export type AcceptedTools = ReturnType<typeof createAcceptedTools>

export function createAcceptedTools(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId' | 'log'> & {
    audit: AuditService
    outbox: Outbox
    schemas: Pick<StrangersSchemas, 'faultOf'>
    host: Pick<ConnectorHost, 'use'>
    connectorOf: (integrationId: string) => Connector | null
  },
) {
  const { database, clock, newId, audit, outbox, log, schemas, host, connectorOf } = dependencies

  const requireRemote = async (scope: Scope, id: string): Promise<ConnectionRow> => {
    const row = changeable(scope, await findConnection(scope, database.read, id))
    if (connectorOf(row.integration_id)?.remote === undefined) {
      throw notFound(`The connection ${id} has no tools of its own to accept: they are the integration's`, {
        resource: 'tool',
        of: id,
      })
    }
    return row
  }

  const read = (scope: Scope, connectionId: string, listed: readonly unknown[]): Promise<ListedTools> =>
    readTools(connectionId, listed, schema => schemas.faultOf(schema, scope.workspaceId))

  /** Stores what the server offers now, beside what a person has accepted. */
  const keep = (scope: Scope, connectionId: string, listed: ListedTools, caller: Caller | null) =>
    database.write(async tx => {
      const row = found(await lockConnection(scope, tx, connectionId))
      const { lost, ...counts } = await writeListed(tx, scope, row, listed, clock())
      await noteListing(scope, tx, connectionId, { tools_listed_at: clock(), tools_note: listed.note })
      const author = caller ?? systemCaller(scope, newId('request'), row.created_by)
      if (counts.added + counts.changed + counts.removed > 0 || caller !== null) {
        await audit.record(tx, author, {
          action: 'integration.refresh_tools',
          resourceId: connectionId,
          details: counts,
        })
      }
      if (lost.changed.length + lost.missing.length > 0) {
        await recordLostTools(tx, outbox, author, row, { ...lost, at: clock() })
      }
      return { row: found(await findConnection(scope, tx, connectionId)), ...counts }
    })

  const ask = async (scope: Scope, id: string): Promise<unknown[]> => {
    if (scope.environment === 'test') return sandboxTools
    return await host.use(scope, id, AbortSignal.timeout(trialTimeoutMs), async (connector, context) =>
      connector.remote === undefined ? [] : await connector.remote.use(context, session => session.list()),
    )
  }

  const refresh = async (scope: Scope, id: string, caller: Caller | null): Promise<ToolsRefreshed> =>
    await keep(scope, id, await read(scope, id, await ask(scope, id)), caller)

  return {
    /** The tools, ordered by name; none if the connection's tools are the connector's. */
    async list({ scope }: Caller, id: string, { page, pageSize }: PageRequest): Promise<Page<RemoteToolRow>> {
      found(await findConnection(scope, database.read, id))
      const rows = await toolsOfConnection(scope, database.read, id)
      return { items: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length }
    },
    /** Asks the server for its tools now. Throws what a call of the connection throws. */
    async refresh(caller: Caller, id: string): Promise<ToolsRefreshed> {
      await requireRemote(caller.scope, id)
      try {
        return await refresh(caller.scope, id, caller)
      } catch (error) {
        throw told(error)
      }
    },
    /** Accepts tools by their hashes, turns tools off, and sets which of them wait for an approval. */
    async change(caller: Caller, id: string, { tools }: ToolsChange): Promise<RemoteToolRow[]> {
      const { scope } = caller
      await requireRemote(scope, id)
      return await database.write(async tx => {
        changeable(scope, await lockConnection(scope, tx, id))
        const rows = new Map((await toolsOfConnection(scope, tx, id)).map(row => [row.name, row]))
        const errors = tools.flatMap((change, index) => faultsOf(change, index, tools, rows))
        if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
        for (const change of tools) {
          const row = rows.get(change.name)
          if (row !== undefined) await writeChange(tx, caller, row, change, clock())
        }
        await audit.record(tx, caller, {
          action: 'integration.accept_tools',
          resourceId: id,
          details: {
            accepted: tools.filter(({ accept }) => typeof accept === 'string').map(({ name }) => name),
            turnedOff: tools.filter(({ accept }) => accept === null).map(({ name }) => name),
            withoutApproval: tools.filter(one => one.needsApproval === false).map(({ name }) => name),
          },
        })
        const names = tools.map(({ name }) => name)
        return (await toolsOfConnection(scope, tx, id)).filter(({ name }) => names.includes(name))
      })
    },
    /** Reads the tools of a connection that has begun to work. If that fails, a person can do it later. */
    async onActive(scope: Scope, { id, integration_id }: ConnectionRow): Promise<void> {
      if (connectorOf(integration_id)?.remote === undefined) return
      await refresh(scope, id, null).catch((error: unknown) => {
        log.warn('The tools of a connection could not be listed', { connectionId: id, error })
      })
    },
    /** Refreshes the tools within a session that is already open. */
    async refreshWithin(scope: Scope, id: string, session: RemoteSession): Promise<void> {
      await keep(scope, id, await read(scope, id, await session.list()), null)
    },
    /** Makes the next use of the connection list its tools first. */
    noteNewTools: (scope: Scope, id: string): Promise<void> =>
      database.write(tx => noteListing(scope, tx, id, { tools_listed_at: null })),
  }
}

async function writeListed(
  tx: Tx,
  scope: Scope,
  { id: connection_id }: ConnectionRow,
  { tools }: ListedTools,
  now: number,
): Promise<Omit<ToolsRefreshed, 'row'> & { lost: LostTools }> {
  const counts = { added: 0, changed: 0, removed: 0 }
  const lost: LostTools = { changed: [], missing: [] }
  const before = new Map((await toolsOfConnection(scope, tx, connection_id)).map(row => [row.name, row]))
  for (const { name, remoteName, definition, hash, fault } of tools) {
    const known = before.get(name)
    before.delete(name)
    const offered = { offered: encodeJson(definition), offered_hash: hash, fault, updated_at: now }
    const byDefault = flag(needsApprovalByDefault(definition))
    if (known === undefined) {
      counts.added += 1
      await insertTool(scope, tx, {
        ...offered,
        connection_id,
        name,
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        remote_name: remoteName,
        needs_approval: byDefault,
        created_at: now,
      })
    } else if (known.offered_hash !== hash || known.fault !== fault) {
      counts.changed += 1
      if (isUsable(known) && !isUsable({ ...known, ...offered })) lost.changed.push(name)
      const needs_approval = known.accepted_hash === null ? byDefault : known.needs_approval
      await updateTool(scope, tx, known, { ...offered, needs_approval })
    }
  }
  for (const gone of before.values()) {
    if (gone.offered_hash === null) continue
    counts.removed += 1
    if (isUsable(gone)) lost.missing.push(gone.name)
    if (gone.accepted_hash === null) await deleteTool(scope, tx, gone)
    else
      await updateTool(scope, tx, gone, { offered: null, offered_hash: null, fault: null, updated_at: now })
  }
  return { ...counts, lost }
}

type OneChange = ToolsChange['tools'][number]

function faultsOf(
  { name, accept, needsApproval }: OneChange,
  index: number,
  tools: readonly OneChange[],
  rows: ReadonlyMap<string, RemoteToolRow>,
): FieldError[] {
  const blame = (field: string, message: string): FieldError[] => [
    { field: `tools.${index}.${field}`, message },
  ]
  const row = rows.get(name)
  if (row === undefined) return blame('name', 'The connection has no tool of this name')
  if (tools.findIndex(other => other.name === name) < index) return blame('name', 'is named twice')
  if (accept === undefined && needsApproval === undefined) {
    return blame('name', 'needs accept or needsApproval beside it')
  }
  if (typeof accept === 'string' && row.offered_hash !== accept) {
    return blame('accept', 'is not the hash of what the server offers now; read the tools again')
  }
  if (typeof accept === 'string' && row.fault !== null)
    return blame('accept', `cannot be accepted: ${row.fault}`)
  if (typeof accept !== 'string' && needsApproval !== undefined && row.accepted_hash === null) {
    return blame('needsApproval', 'needs accept beside it: the tool is not accepted')
  }
  return []
}

async function writeChange(
  tx: Tx,
  { scope, userId }: Caller,
  row: RemoteToolRow,
  { accept, needsApproval }: OneChange,
  now: number,
): Promise<void> {
  if (accept === null) {
    const off = { accepted: null, accepted_hash: null, accepted_by: null, accepted_at: null, updated_at: now }
    if (row.offered_hash === null) await deleteTool(scope, tx, row)
    else await updateTool(scope, tx, row, off)
    return
  }
  if (accept === undefined || row.offered === null) {
    const needs_approval = needsApproval === undefined ? row.needs_approval : flag(needsApproval)
    await updateTool(scope, tx, row, { needs_approval, updated_at: now })
    return
  }
  // A person's decision about the tool's earlier form does not let its new form through.
  const isOther = row.accepted_hash !== accept && needsApprovalByDefault(decodeJson(row.offered))
  await updateTool(scope, tx, row, {
    needs_approval: flag(needsApproval ?? (isOther || row.needs_approval === 1)),
    accepted: row.offered,
    accepted_hash: row.offered_hash,
    accepted_by: userId,
    accepted_at: now,
    updated_at: now,
  })
}

const flag = (isSet: boolean): 0 | 1 => (isSet ? 1 : 0)

function told(error: unknown): unknown {
  if (!(error instanceof HttpFailure)) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    return isLate ? new ServiceError('integration_unreachable', 'The server did not answer in time') : error
  }
  const isRefused = error.kind === 'not_authorized' || error.kind === 'forbidden'
  return new ServiceError(isRefused ? 'credentials_rejected' : 'integration_unreachable', error.message, {
    cause: error,
  })
}

/** The tools of a server in the sandbox, where no server is called. */
const sandboxTools = [
  {
    name: 'sandbox_read',
    description: 'Reads something: in the sandbox its answer is simulated.',
    inputSchema: { type: 'object', properties: { query: { type: 'string', maxLength: 1_000 } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'sandbox_write',
    description: 'Changes something: in the sandbox its answer is simulated.',
    inputSchema: { type: 'object', properties: { text: { type: 'string', maxLength: 1_000 } } },
  },
]
