/**
 * Tools of connected servers as agents use them: as a person has accepted them, and only as long as that is valid.
 */
import {
  type Connector,
  type Context,
  HttpFailure,
  type RemoteAnswer,
  RemoteRefusal,
  type RemoteSession,
  scopesWanted,
} from '@atrium/connectors'
import { hopsBehind, hopsHeader, type Scope } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { ToolDefinition } from '../../../platform/database/schema/integrations.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { type TObject, Type } from '../../../platform/json-schema/type.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Tool, type ToolContext, ToolError, type ToolResult } from '../../../platform/tool.ts'
import type { ConnectorHost } from '../credentials/connector-host.ts'
import { withDefaults } from '../records/config-check.ts'
import {
  acceptedToolsNamed,
  countUsableTools,
  isUsable,
  type RemoteToolRow,
  usableTools,
} from '../records/remote-tools-store.ts'
import { type ConnectionRow, noteWanted } from '../records/store.ts'
import { remoteToolPrefix, schemaForModels } from '../records/tool-definitions.ts'
import type { AcceptedTools } from './accepted-tools-service.ts'
import type { BoundConnection, FindConnections } from './service.ts'
import { resultOf, told } from './tools.ts'

export type RemoteTools = ReturnType<typeof createRemoteTools>

/** If a server's list of tools is older than this, it is read again before a tool is called. */
const listedForMs = 5 * minuteMs
/** The time for the session and the list, in addition to the call's own time. */
const aroundCallMs = 60 * secondMs
const maxErrorCharacters = 2_000

/** Whether a name can be the name of a connected server's tool. */
export const isRemoteToolName = (name: string): boolean => name.startsWith(remoteToolPrefix)

export function createRemoteTools(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    schemas: Pick<StrangersSchemas, 'check'>
    findConnections: FindConnections
    host: Pick<ConnectorHost, 'use'>
    acceptedTools: Pick<AcceptedTools, 'refreshWithin' | 'noteNewTools'>
  },
) {
  const { database, findConnections } = dependencies

  const toolsOf = async (scope: Scope, rows: readonly RemoteToolRow[], query: Query): Promise<Tool[]> => {
    const ids = [...new Set(rows.map(row => row.connection_id))]
    const connections = await findConnections(scope, ids, query)
    return rows.flatMap(row => {
      const connection = connections.find(({ id }) => id === row.connection_id)
      return connection === undefined ? [] : createRemoteTool(dependencies, row, connection)
    })
  }

  return {
    /** The named tools that a person has accepted, whether or not the server offers them now. */
    async known(scope: Scope, names: readonly string[], query: Query = database.read): Promise<Tool[]> {
      const remote = names.filter(isRemoteToolName)
      if (remote.length === 0) return []
      return await toolsOf(scope, await acceptedToolsNamed(scope, query, remote), query)
    },
    /** The named tools that a run may be offered now. */
    async usable(scope: Scope, names: readonly string[]): Promise<Tool[]> {
      const rows = await acceptedToolsNamed(scope, database.read, names.filter(isRemoteToolName))
      return await toolsOf(scope, rows.filter(isUsable), database.read)
    },
    count: (scope: Scope): Promise<number> => countUsableTools(scope, database.read),
    /** All tools that agents can be given, ordered by name. */
    async list(scope: Scope, range: { offset: number; limit: number }): Promise<Tool[]> {
      return await toolsOf(scope, await usableTools(scope, database.read, range), database.read)
    },
  }
}

type Dependencies = Parameters<typeof createRemoteTools>[0]

function createRemoteTool(
  dependencies: Dependencies,
  row: RemoteToolRow,
  connection: BoundConnection,
): Tool[] {
  const { schemas } = dependencies
  if (row.accepted === null) return []
  const definition = decodeJson(row.accepted)
  const shown = schemaForModels(definition.inputSchema)
  if (shown === null) return []
  const { connection_id: connectionId } = row
  return [
    {
      name: row.name,
      description: `${definition.description} (${connection.name})`,
      integrationId: connection.integration_id,
      connectionId,
      permission: 'integrations:read',
      // A server may claim that its tool is harmless, but a second call may still do harm.
      safeToRepeat: false,
      needsApproval: row.needs_approval === 1,
      // Plain JSON Schema, only for the model. Arguments are checked separately, by the schema of the server.
      input: shown as unknown as TObject,
      check: input => schemas.check(definition.inputSchema, input, row.workspace_id, 'arguments'),
      output: Type.Unknown({ description: 'What the server answers.' }),
      run: (context, input) =>
        call(dependencies, { row, definition, connectionName: connection.name }, context, input),
    },
  ]
}

type Called = { row: RemoteToolRow; definition: ToolDefinition; connectionName: string }

async function call(
  { database, clock, host, acceptedTools }: Dependencies,
  { row, definition, connectionName }: Called,
  context: ToolContext,
  input: unknown,
): Promise<ToolResult> {
  const { connection_id: id, name } = row
  const { scope } = context.caller
  const connections = [{ id, collectionId: null }]
  if (!context.connectionIds.includes(id)) {
    throw new ToolError('The agent does not use the connection of this tool any more; go on without it')
  }
  /**
   * Checks the tool again. While the run went on, a person may have turned it off, or the server may have changed it.
   */
  const requireAccepted = async () => {
    const [now] = await acceptedToolsNamed(scope, database.read, [name])
    if (now !== undefined && isUsable(now) && now.accepted_hash === row.accepted_hash) return
    throw new ToolError(
      'The tool is not what was accepted for this run: it has been turned off, or the server has changed it. It was not called; go on without it',
      { connections },
    )
  }
  await requireAccepted()
  if (scope.environment === 'test') {
    return {
      content: { simulated: true, tool: definition.name, input },
      note: 'The sandbox calls no server: this reply is simulated.',
      connections,
    }
  }
  const deadline = new AbortController()
  const signal = AbortSignal.any([context.signal, deadline.signal])
  let wasSent = false
  let connector: Connector | null = null
  let timer: NodeJS.Timeout | undefined
  try {
    const work = async (found: Connector, opened: Context, connection: ConnectionRow) => {
      connector = found
      const { maxSeconds } = withDefaults(found, decodeJson(connection.config)) as { maxSeconds: number }
      timer = setTimeout(() => deadline.abort(), maxSeconds * secondMs + aroundCallMs)
      const isFresh = clock() - (connection.tools_listed_at ?? 0) < listedForMs
      return await found.remote?.use(opened, async session => {
        if (!isFresh) {
          await acceptedTools.refreshWithin(scope, id, session)
          await requireAccepted()
        }
        wasSent = true
        return await askOnce(session, definition, input, () => acceptedTools.noteNewTools(scope, id))
      })
    }
    const answer = await host.use(scope, id, signal, work, { [hopsHeader]: hopsBehind(context.caller) })
    return { ...answered(answer, connectionName), connections }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof ToolError) throw new ToolError(error.message, { cause: error, connections })
    if (error instanceof RemoteRefusal) {
      throw new ToolError(`${connectionName} refused the call: ${error.message}`, {
        cause: error,
        connections,
      })
    }
    if (connector === null) throw error
    const wanted = error instanceof HttpFailure ? scopesWanted(error) : []
    if (wanted.length > 0) {
      await database.write(tx => noteWanted(scope, tx, { id, wanted, at: clock() }))
      throw new ToolError(
        `${connectionName} may not do this yet: somebody has to reconnect it, and to grant ${wanted.join(', ')}`,
        { cause: error, connections },
      )
    }
    const isLate = deadline.signal.aborted
    throw told(error, { connector, name: connectionName, connections, changes: wasSent, isLate })
  } finally {
    clearTimeout(timer)
  }
}

async function askOnce(
  session: RemoteSession,
  { name, inputSchema }: ToolDefinition,
  input: unknown,
  noteNewTools: () => Promise<void>,
): Promise<RemoteAnswer> {
  const answer = await session.call({ name, inputSchema }, input)
  if (session.hasNewTools()) await noteNewTools()
  return answer
}

function answered(answer: RemoteAnswer | undefined, connectionName: string): ToolResult {
  const { content, isError } = answer ?? { content: null, isError: false }
  if (!isError) return resultOf(content)
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? null)
  throw new ToolError(
    `${connectionName} answered that the call failed, in its own words: ${text.slice(0, maxErrorCharacters).toWellFormed()}`,
  )
}
