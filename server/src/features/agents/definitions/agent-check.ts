/** Checks that everything that an agent names exists and fits together. */
import { isIP } from 'node:net'
import { isNarrowed, type Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import {
  givenParameters,
  type ModelParameters,
  withoutParameters,
} from '../../../platform/models/parameters.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { RemoteTools } from '../../integrations/connections/remote-tools-service.ts'
import type { FindConnections } from '../../integrations/connections/service.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import type { ContentChange } from './agent-content.ts'
import type { AgentContent } from './agent-fields.ts'
import { functionFaults } from './functions.ts'

export type AgentCheck = ReturnType<typeof createAgentCheck>

/** The check throws one 400 that names everything that does not exist; `agentId` is null for a new agent. */
export function createAgentCheck(dependencies: {
  models: Pick<WorkspaceModels, 'check'>
  tools: readonly Tool[]
  remoteTools: Pick<RemoteTools, 'known'>
  schemas: Pick<StrangersSchemas, 'faultOf'>
  missingCollections: FindMissing
  missingAgents: FindMissing
  findConnections: FindConnections
}) {
  const { models, tools, remoteTools, missingCollections, missingAgents, findConnections } = dependencies
  const known = tools.map(({ name }) => name)
  const modelFault = async (scope: Scope, name: string | null | undefined) =>
    name === undefined || name === null ? null : models.check(scope, name)

  /** `present` are the agent's own collections: one that was erased since does not stop a change of the others. */
  return async (
    scope: Scope,
    named: ContentChange,
    agentId: string | null,
    present: readonly string[] = [],
  ): Promise<void> => {
    const { model, fallbackModel, tools: names, httpHosts, collectionIds = [], agentIds = [] } = named
    const { connectionIds = [], functions = [] } = named
    const connections = new Set((await findConnections(scope, connectionIds)).map(({ id }) => id))
    const absentCollections = new Set(await missingCollections(scope, collectionIds))
    // A narrowed author would learn of ids beyond its reach which ones the agent names.
    const kept = new Set(isNarrowed(scope) || scope.withheld !== undefined ? [] : present)
    const remote = (await remoteTools.known(scope, names ?? [])).map(({ name }) => name)
    const absentAgents = new Set(await missingAgents(scope, agentIds))
    throwFaults([
      ...faultOf('model', await modelFault(scope, model)),
      ...faultOf('fallbackModel', await modelFault(scope, fallbackModel)),
      ...faultsIn('tools', names, name =>
        known.includes(name) || remote.includes(name) ? null : noTool(known),
      ),
      ...(await functionFaults(functions, dependencies, scope.workspaceId)),
      ...faultsIn('httpHosts', httpHosts, hostFault),
      ...faultsIn('collectionIds', collectionIds, id =>
        absentCollections.has(id) && !kept.has(id) ? 'There is no collection with this id' : null,
      ),
      ...faultsIn('connectionIds', connectionIds, id =>
        connections.has(id) ? null : 'There is no connection with this id',
      ),
      ...faultsIn('agentIds', agentIds, id => {
        if (id === agentId) return 'An agent cannot call itself'
        return absentAgents.has(id) ? 'There is no agent with this id' : null
      }),
    ])
  }
}

/** Throws a 400 that names the fields of an agent that do not fit each other. */
export function checkTogether({ tools, approvalTools, functions }: AgentContent): void {
  const functionNames = functions.map(({ name }) => name)
  throwFaults([
    ...faultsIn('approvalTools', approvalTools, name =>
      tools.includes(name) ? null : 'is not among the tools of the agent; change both lists together',
    ),
    // A newer server may have a tool with the name of a function that the agent had before.
    ...faultsIn('tools', tools, name =>
      functionNames.includes(name) ? 'is the name of a function of the agent; rename the function' : null,
    ),
  ])
}

export type ParameterCheck = ReturnType<typeof createParameterCheck>

/** The check throws a 400 that names each parameter that the model does not take, unless the agent is lenient. */
export const createParameterCheck =
  ({ models }: { models: Pick<WorkspaceModels, 'find'> }) =>
  async (
    scope: Scope,
    { model: name, modelParameters: parameters }: Pick<AgentContent, 'model' | 'modelParameters'>,
  ): Promise<void> => {
    if (parameters.lenient || givenParameters(parameters).length === 0) return
    await takenParameters(await models.find(scope, name), parameters, { isLenient: false })
  }

/** Returns the parameters that the model takes. Throws a 400 that names the others, unless `isLenient`. */
export async function takenParameters(
  model: ResolvedModel | null,
  parameters: ModelParameters,
  { isLenient }: { isLenient: boolean },
): Promise<ModelParameters> {
  if (model?.readParameters === undefined) return parameters
  const { refused } = await model.readParameters(parameters)
  if (!isLenient) {
    throwFaults(
      refused.map(({ name, reason }) => ({
        field: `modelParameters.${name}`,
        message: `is not taken by ${model.name}: ${reason}. Leave it out, or set modelParameters.lenient of the agent`,
      })),
    )
  }
  return withoutParameters(
    parameters,
    refused.map(({ name }) => name),
  )
}

export type ConnectionCheck = ReturnType<typeof createConnectionCheck>

/** The check throws a 400 unless each integration's tool has a connection. The error names what bound ones offer. */
export const createConnectionCheck =
  ({
    tools,
    remoteTools,
    findConnections,
  }: {
    tools: readonly Tool[]
    remoteTools: Pick<RemoteTools, 'known'>
    findConnections: FindConnections
  }) =>
  async (
    scope: Scope,
    query: Query,
    { tools: names, connectionIds }: Pick<AgentContent, 'tools' | 'connectionIds'>,
  ): Promise<void> => {
    const needs = new Map(tools.map(({ name, integrationId }) => [name, integrationId]))
    const remote = await remoteTools.known(scope, names, query)
    const servers = new Map(remote.map(({ name, connectionId }) => [name, connectionId]))
    if (names.every(name => needs.get(name) === undefined && !servers.has(name))) return
    const bound = await findConnections(scope, connectionIds, query)
    const integrations = new Set(bound.map(({ integration_id }) => integration_id))
    const offered = tools
      .filter(({ integrationId }) => integrations.has(integrationId ?? ''))
      .map(({ name }) => name)
    const there = offered.length === 0 ? '' : `those that are there offer ${offered.join(', ')}; `
    throwFaults(
      faultsIn('tools', names, name => {
        const server = servers.get(name)
        if (server !== undefined && !bound.some(({ id }) => id === server)) {
          return `needs the connection ${server} in connectionIds; change both lists together`
        }
        const needed = needs.get(name)
        if (needed === undefined || integrations.has(needed)) return null
        return `needs a connection of ${needed} in connectionIds; ${there}change both lists together`
      }),
    )
  }

const noTool = (known: readonly string[]): string =>
  `There is no tool with this name; there is ${known.join(', ')}`

/** A URL reads addresses in any spelling, such as `0x7f.1` for 127.0.0.1, so the parsed host decides. */
function hostFault(host: string): string | null {
  const form =
    'must be a host in small letters, such as api.example.com, api.example.com:8443 or *.example.com'
  const [, wildcard, name = '', port] = hostPattern.exec(host) ?? []
  if (name === '' || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return form
  if (wildcard !== undefined && !name.includes('.')) return form
  const hostname = URL.parse(`http://${name}/`)?.hostname
  if (hostname !== name || isIP(hostname) !== 0) return 'must be the name of a host, not an address'
  return null
}

const hostPattern =
  /^(\*\.)?((?=[^:]{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*)(?::(\d{1,5}))?$/

const faultOf = (field: string, message: string | null): FieldError[] =>
  message === null ? [] : [{ field, message }]

const faultsIn = (
  field: string,
  values: readonly string[] | undefined,
  fault: (value: string) => string | null,
): FieldError[] => (values ?? []).flatMap((value, index) => faultOf(`${field}.${index}`, fault(value)))

function throwFaults(errors: FieldError[]): void {
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}
