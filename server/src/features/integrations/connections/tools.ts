/** What agents can do with the connections that they are bound to: the tools of the connectors. */
import { type Connector, type ConnectorTool, HttpFailure, toolNameOf } from '@atrium/connectors'
import { hopsBehind, hopsHeader } from '../../../platform/caller.ts'
import { minuteMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { type TObject, Type } from '../../../platform/json-schema/type.ts'
import {
  type Tool,
  type ToolContext,
  ToolError,
  type ToolResult,
  type UsedConnection,
} from '../../../platform/tool.ts'
import type { ConnectorHost } from '../credentials/connector-host.ts'
import type { BoundConnection, FindConnections } from './service.ts'

/** The limit of a result's JSON. */
const mostCharacters = 20_000
const timeoutMs = minuteMs
/** The argument that tells one connection from another. */
const chooser = 'connection'

type Dependencies = {
  connectors: readonly Connector[]
  findConnections: FindConnections
  host: Pick<ConnectorHost, 'use'>
}

/**
 * Makes the tools of every integration, even without a connection. An agent is offered only the tools of its
 * connections.
 */
export const createConnectionTools = (dependencies: Dependencies): Tool[] =>
  dependencies.connectors.flatMap(connector =>
    (connector.tools ?? []).map(tool => createConnectionTool(dependencies, connector, tool)),
  )

function createConnectionTool(
  { findConnections, host }: Dependencies,
  connector: Connector,
  own: ConnectorTool,
): Tool {
  /** Looks the connections up for each call, since one may have ended meanwhile. */
  const connectionsOf = async ({ caller, connectionIds }: ToolContext): Promise<BoundConnection[]> =>
    (await findConnections(caller.scope, connectionIds)).filter(
      ({ integration_id }) => integration_id === connector.id,
    )

  const tool: Tool = {
    name: toolNameOf(connector.id, own.name),
    description: `${own.description} (${connector.name})`,
    integrationId: connector.id,
    permission: 'integrations:read',
    safeToRepeat: !own.changes,
    needsApproval: own.changes,
    // A connector's schema is plain JSON Schema. It checks values in the same way as a schema of TypeBox.
    input: own.input as unknown as TObject,
    output: Type.Unknown({ description: `What ${connector.name} answers.` }),
    async forAgent(context) {
      const labels = labelsOf(await connectionsOf(context))
      return labels.size < 2 ? tool : { ...tool, input: withChoice(own, [...labels.keys()]) }
    },
    async run(context, given) {
      const { [chooser]: wanted, ...rest } = given as Record<string, unknown>
      const labels = labelsOf(await connectionsOf(context))
      const connection = chosen(connector, labels, wanted)
      const { id, name } = connection
      const connections = [usedOf(connection)]
      // In the test environment, no call reaches anything outside.
      if (context.caller.scope.environment === 'test') {
        return { ...simulated(connector, own, rest), connections }
      }
      const deadline = AbortSignal.timeout(timeoutMs)
      const signal = AbortSignal.any([context.signal, deadline])
      try {
        const { scope } = context.caller
        const answer = await host.use(scope, id, signal, (_connector, work) => own.run(work, rest), {
          [hopsHeader]: hopsBehind(context.caller),
        })
        return { ...resultOf(answer), connections }
      } catch (error) {
        context.signal.throwIfAborted()
        throw told(error, { connector, name, connections, changes: own.changes, isLate: deadline.aborted })
      }
    },
  }
  return tool
}

/** The connections by their names. Connections of the same name also get their ids. */
function labelsOf(connections: readonly BoundConnection[]): Map<string, BoundConnection> {
  const isAlike = (name: string) => connections.filter(other => other.name === name).length > 1
  return new Map(
    connections.map(connection => {
      const { name } = connection
      return [isAlike(name) ? labelWithId(connection) : name, connection] as const
    }),
  )
}

const usedOf = ({ id, sync_collection_id: collectionId }: BoundConnection): UsedConnection => ({
  id,
  collectionId,
})

const labelWithId = ({ id, name }: BoundConnection): string => `${name} (${id})`

function withChoice({ input }: ConnectorTool, labels: readonly string[]): TObject {
  const choice = { type: 'string', enum: labels, description: 'The connection to use.' }
  const required = [chooser, ...((input.required as string[] | undefined) ?? [])]
  const properties = { [chooser]: choice, ...input.properties }
  return { ...input, properties, required } as unknown as TObject
}

function chosen(
  { name }: Connector,
  labels: ReadonlyMap<string, BoundConnection>,
  wanted: unknown,
): BoundConnection {
  const [first] = labels.values()
  if (first === undefined) {
    throw new ToolError(`There is no connection of ${name} any more that this run may use; go on without it`)
  }
  if (labels.size === 1 && wanted === undefined) return first
  // Another connection may have had the same name when the model read the name, and may be gone by now.
  const found =
    labels.get(String(wanted)) ?? [...labels.values()].find(one => labelWithId(one) === String(wanted))
  if (found !== undefined) return found
  const message = `There is no connection ${String(wanted)}; there is ${[...labels.keys()].join(', ')}`
  throw new ToolError(message, { connections: [...labels.values()].map(usedOf) })
}

/** Cuts an answer that is too long for a prompt. A note says so. */
export function resultOf(answer: unknown): ToolResult {
  const json = JSON.stringify(answer ?? null)
  if (json.length <= mostCharacters) return { content: answer ?? null }
  return {
    content: json.slice(0, mostCharacters).toWellFormed(),
    note: `The result was cut: it had ${json.length} characters, of at most ${mostCharacters}. Ask for less.`,
  }
}

/** The same reply for the same call, so that a customer's tests can rely on it. */
const simulated = (
  { id }: Connector,
  { name }: ConnectorTool,
  input: Record<string, unknown>,
): ToolResult => ({
  content: { simulated: true, integrationId: id, tool: name, input },
  note: 'The sandbox calls no service: this reply is simulated.',
})

type About = {
  connector: Connector
  name: string
  connections: UsedConnection[]
  changes: boolean
  isLate: boolean
}

/** The error for the model. The server's own faults stay unchanged. */
export function told(error: unknown, { connector, name, connections, changes, isLate }: About): unknown {
  const doubt = changes ? '. Whether it was carried out there is not known' : ''
  const fail = (message: string) => new ToolError(message, { cause: error, connections })
  if (isLate) return fail(`${connector.name} did not answer in time${doubt}`)
  if (error instanceof HttpFailure) return fail(meaningOf(error, connector.name, name, doubt))
  if (error instanceof ServiceError && error.code === 'integration_unreachable') {
    return fail(`${error.message}${doubt}`)
  }
  // A fault in the connector's code is for the operator. An error that it throws on purpose is for the model.
  const isFault = [TypeError, ReferenceError, RangeError, SyntaxError].some(kind => error instanceof kind)
  return error instanceof Error && error.constructor === Error && !isFault ? fail(error.message) : error
}

function meaningOf(failure: HttpFailure, service: string, connection: string, doubt: string): string {
  switch (failure.kind) {
    case 'not_authorized':
      return `${service} does not accept the credentials of the connection ${connection} any more; somebody has to connect it again`
    case 'forbidden':
      return `${service} does not allow this to the connection ${connection}`
    case 'missing':
      return `${service} has nothing there, or does not show it to the connection ${connection}`
    case 'rate_limited': {
      const { retryAfterSeconds: wait } = failure
      return `${service} asks to wait${wait === null ? '' : ` ${wait} seconds`} before another call; it was not carried out`
    }
    case 'unavailable':
      return `${service} does not answer now: ${failure.message}${doubt}`
    case 'unexpected_reply':
      // A refusal shows that nothing was done. A reply that cannot be read does not show that.
      return `${failure.message}${failure.body === '' ? '' : `: ${failure.body.slice(0, 500)}`}${(failure.status ?? 0) < 400 ? doubt : ''}`
  }
}
