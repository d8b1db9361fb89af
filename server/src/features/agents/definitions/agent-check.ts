/** Whether all that an agent names exists and fits together. */
import { isIP } from 'node:net'
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { FindConnections } from '../../integrations/connections/bound-connections-service.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import type { ContentChange } from './agent-content.ts'
import { type AgentContent, idFields, maxIds } from './agent-fields.ts'

/** Throws one 400 that names everything that there is not; `agentId` is null for an agent that is being made. */
export type AgentCheck = (scope: Scope, named: ContentChange, agentId: string | null) => Promise<void>

export function createAgentCheck(dependencies: {
  models: Pick<WorkspaceModels, 'check'>
  tools: readonly Tool[]
  missingCollections: FindMissing
  missingAgents: FindMissing
  findConnections: FindConnections
}): AgentCheck {
  const { models, tools, missingCollections, missingAgents, findConnections } = dependencies
  const known = tools.map(({ name }) => name)
  const modelFault = async (scope: Scope, name: string | null | undefined) =>
    name === undefined || name === null ? null : models.check(scope, name)

  return async (scope, named, agentId) => {
    const { model, fallbackModel, tools: names, httpHosts, collectionIds = [], agentIds = [] } = named
    const { connectionIds = [] } = named
    const connections = new Set((await findConnections(scope, connectionIds)).map(({ id }) => id))
    const absentCollections = new Set(await missingCollections(scope, collectionIds))
    const absentAgents = new Set(await missingAgents(scope, agentIds))
    throwFaults([
      ...faultOf('model', await modelFault(scope, model)),
      ...faultOf('fallbackModel', await modelFault(scope, fallbackModel)),
      ...faultsIn('tools', names, name => (known.includes(name) ? null : noTool(known))),
      ...faultsIn('httpHosts', httpHosts, hostFault),
      ...faultsIn('collectionIds', collectionIds, id =>
        absentCollections.has(id) ? 'There is no collection with this id' : null,
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

/** Whether the fields of an agent as it would be fit each other. Throws a 400 that names those that do not. */
export function checkTogether({ tools, approvalTools }: AgentContent): void {
  throwFaults(
    faultsIn('approvalTools', approvalTools, name =>
      tools.includes(name) ? null : 'is not among the tools of the agent; change both lists together',
    ),
  )
}

/** Whether a list is short enough, with the ids that its author is not shown. Throws a 400 that names it. */
export function checkIdCounts(content: AgentContent): void {
  const tooLong = idFields.filter(field => content[field].length > maxIds[field])
  throwFaults(
    tooLong.flatMap(field =>
      faultOf(
        field,
        `must name at most ${maxIds[field]} with those that the agent has beyond the caller's reach; name fewer`,
      ),
    ),
  )
}

/** Whether each tool of an integration has a connection to use. Throws a 400 that names what those that are bound offer. */
export type ConnectionCheck = (
  scope: Scope,
  query: Query,
  content: Pick<AgentContent, 'tools' | 'connectionIds'>,
) => Promise<void>

export const createConnectionCheck =
  ({
    tools,
    findConnections,
  }: {
    tools: readonly Tool[]
    findConnections: FindConnections
  }): ConnectionCheck =>
  async (scope, query, { tools: names, connectionIds }) => {
    const needs = new Map(tools.map(({ name, integrationId }) => [name, integrationId]))
    if (names.every(name => needs.get(name) === undefined)) return
    const bound = await findConnections(scope, connectionIds, query)
    const integrations = new Set(bound.map(({ integration_id }) => integration_id))
    const offered = tools
      .filter(({ integrationId }) => integrations.has(integrationId ?? ''))
      .map(({ name }) => name)
    const there = offered.length === 0 ? '' : `those that are there offer ${offered.join(', ')}; `
    throwFaults(
      faultsIn('tools', names, name => {
        const needed = needs.get(name)
        if (needed === undefined || integrations.has(needed)) return null
        return `needs a connection of ${needed} in connectionIds; ${there}change both lists together`
      }),
    )
  }

const noTool = (known: readonly string[]): string =>
  `There is no tool with this name; there is ${known.join(', ')}`

/** Whatever a URL would read as an address is one, in any spelling: `0x7f.1` is 127.0.0.1. */
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
