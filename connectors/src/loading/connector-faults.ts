/** Checks whether a value is a connector and why it is none, for files that no compiler has seen. */

import { authKinds } from '../auth.ts'
import type { Connector } from '../connector.ts'
import { isFields } from '../fields.ts'

const fields = [
  ...[
    'id',
    'name',
    'description',
    'category',
    'documentationUrl',
    'auth',
    'configSchema',
    'checkConfig',
    'blamedField',
  ],
  ...['origins', 'check', 'source', 'tools', 'remote', 'unverified'],
]
const maxToolName = 64

type Fault = string | null

/** One line for each fault, beginning with the field's name. Empty if the value is a connector. */
export function connectorFaults(value: unknown): string[] {
  if (!isFields(value)) return ['the default export must be a connector: an object with id, name, auth …']
  const unknown = Object.keys(value).filter(name => !fields.includes(name))
  const faults: Fault[] = [
    ...unknown.map(name => `${name} is not a field of a connector; there are ${fields.join(', ')}`),
    idFault(value.id),
    textFault('name', value.name, 100),
    textFault('description', value.description, 500),
    textFault('category', value.category, 60),
    value.documentationUrl === null ? null : addressFault('documentationUrl', value.documentationUrl),
    ...authFaults(value.auth),
    schemaFault('configSchema', value.configSchema),
    functionFault('origins', value.origins),
    functionFault('check', value.check),
    value.checkConfig === undefined ? null : functionFault('checkConfig', value.checkConfig),
    value.blamedField === undefined ? null : textFault('blamedField', value.blamedField, 100),
    flagFault('unverified', value.unverified ?? false),
    ...(value.source === undefined ? [] : sourceFaults(value.source)),
    ...(value.tools === undefined ? [] : toolFaults(value.tools, String(value.id))),
    ...(value.remote === undefined ? [] : remoteFaults(value.remote)),
    asksServer(value.auth) && value.remote === undefined
      ? 'remote must be given: where auth has the kind "mcp", it asks the server how it is opened'
      : null,
  ]
  return faults.filter(fault => fault !== null)
}

export const isConnector = (value: unknown): value is Connector => connectorFaults(value).length === 0

/** `github_search_issues` for the tool `search_issues` of the connector `github`. */
export const toolNameOf = (connectorId: string, tool: string): string =>
  `${connectorId.replaceAll('-', '_')}_${tool}`

const idFault = (id: unknown): Fault =>
  typeof id === 'string' && id.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)
    ? null
    : 'id must be lower-case words joined by hyphens, at most 40 characters, such as "my-wiki"'

const textFault = (field: string, value: unknown, most: number): Fault =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most
    ? null
    : `${field} must be a text of 1 to ${most} characters`

const addressFault = (field: string, value: unknown): Fault =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
    ? null
    : `${field} must be an address that begins with https:// or http://`

const functionFault = (field: string, value: unknown): Fault =>
  typeof value === 'function' ? null : `${field} must be a function`

const flagFault = (field: string, value: unknown): Fault =>
  typeof value === 'boolean' ? null : `${field} must be true or false`

const schemaFault = (field: string, value: unknown): Fault =>
  isFields(value) && value.type === 'object' && isFields(value.properties)
    ? null
    : `${field} must be a JSON Schema with type "object" and properties`

function authFaults(auth: unknown): Fault[] {
  if (!Array.isArray(auth) || auth.length === 0) {
    return ['auth must be a list of at least one way to open the service, such as [{ kind: "none" }]']
  }
  const kinds = auth.map(way => (isFields(way) ? way.kind : undefined))
  const repeated = kinds.find((kind, at) => kinds.indexOf(kind) !== at)
  return [
    ...auth.flatMap((way, at) => wayFaults(`auth.${at}`, way)),
    repeated === undefined ? null : `auth must have each kind once; ${String(repeated)} comes again`,
  ]
}

function wayFaults(at: string, way: unknown): Fault[] {
  const kind = isFields(way) ? way.kind : undefined
  if (!isFields(way) || !authKinds.some(known => known === kind)) {
    return [`${at}.kind must be one of ${authKinds.join(', ')}`]
  }
  if (kind === 'none' || kind === 'mcp') return []
  if (kind === 'basic' || kind === 'headers') return [textFault(`${at}.help`, way.help, 500)]
  if (kind === 'api_key') {
    return [textFault(`${at}.help`, way.help, 500), functionFault(`${at}.headers`, way.headers)]
  }
  const { scopes, quirks, revocation, authorizationParameters, clientAuthentication } = way
  const isProof = ['post', 'basic', 'none'].includes(String(clientAuthentication))
  return [
    addressFault(`${at}.issuer`, way.issuer),
    addressFault(`${at}.authorizationUrl`, way.authorizationUrl),
    addressFault(`${at}.tokenUrl`, way.tokenUrl),
    isProof ? null : `${at}.clientAuthentication must be "post", "basic" or "none"`,
    Array.isArray(scopes) && scopes.every(scope => typeof scope === 'string')
      ? null
      : `${at}.scopes must be a list of texts`,
    isFields(authorizationParameters) ? null : `${at}.authorizationParameters must be an object`,
    isFields(quirks) ? null : `${at}.quirks must be an object; {} for none`,
    revocation === null || isFields(revocation) ? null : `${at}.revocation must be null or { kind, url }`,
  ]
}

function sourceFaults(source: unknown): Fault[] {
  if (!isFields(source)) return ['source must be an object with removals, list and fetch']
  const isKnown = ['told', 'absence', 'asked'].includes(String(source.removals))
  return [
    isKnown ? null : 'source.removals must be "told", "absence" or "asked"',
    functionFault('source.list', source.list),
    functionFault('source.fetch', source.fetch),
  ]
}

const asksServer = (auth: unknown): boolean =>
  Array.isArray(auth) && auth.some(way => isFields(way) && way.kind === 'mcp')

function remoteFaults(remote: unknown): Fault[] {
  if (!isFields(remote)) return ['remote must be an object with use and discover']
  return [functionFault('remote.use', remote.use), functionFault('remote.discover', remote.discover)]
}

const namesConnection = (input: unknown): boolean =>
  isFields(input) && isFields(input.properties) && 'connection' in input.properties

function toolFaults(tools: unknown, connectorId: string): Fault[] {
  if (!Array.isArray(tools)) return ['tools must be a list']
  const names = tools.map(tool => (isFields(tool) ? tool.name : undefined))
  return tools.flatMap((tool, at) => {
    const field = `tools.${at}`
    if (!isFields(tool)) return [`${field} must be an object with name, description, input, changes and run`]
    const name = String(tool.name)
    return [
      /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && toolNameOf(connectorId, name).length <= maxToolName
        ? null
        : `${field}.name must be words in snake case, such as "search_issues"; with the connector's id at most ${maxToolName} characters`,
      names.indexOf(tool.name) === at ? null : `${field}.name is the name of an earlier tool`,
      textFault(`${field}.description`, tool.description, 1_000),
      schemaFault(`${field}.input`, tool.input),
      namesConnection(tool.input)
        ? `${field}.input must have no field "connection": agents choose one by that`
        : null,
      flagFault(`${field}.changes`, tool.changes),
      functionFault(`${field}.run`, tool.run),
    ]
  })
}
