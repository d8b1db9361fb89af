/** The services that can be connected: the ready-made connectors, and those of the operator's own folder. */
import { stat } from 'node:fs/promises'
import { type Connector, toolNameOf } from '@atrium/connectors'
import { catalog } from '@atrium/connectors/catalog'
import { type LoadedConnector, loadConnectorFolder } from '@atrium/connectors/loading'
import { validation } from '../http/validation.ts'
import { SettingsError, settingDefinitions } from '../settings/settings.ts'

const maxFaultsTold = 50
const maxConnectors = 200

/** Throws `SettingsError` with a line for each file that does not fit, and why. */
export async function readConnectors(folder: string | null): Promise<readonly Connector[]> {
  if (folder === null) return catalog
  const { variable } = settingDefinitions.connectorsDir
  const found = await stat(folder).catch(() => null)
  if (found === null || !found.isDirectory()) {
    throw new SettingsError([`${variable}: ${JSON.stringify(folder)} is no folder`])
  }
  const { connectors, faults } = await loadConnectorFolder(folder)
  const all = [...faults, ...connectors.flatMap(misfits), ...sharedTools(connectors)]
  if (connectors.length > maxConnectors) all.push(`${folder}: has more than ${maxConnectors} connectors`)
  if (all.length > 0) {
    throw new SettingsError(all.slice(0, maxFaultsTold).map(fault => `${variable}: ${fault}`))
  }
  return [...catalog, ...connectors.map(({ connector }) => unverified(connector))]
}

/** Only its author has seen it; a file says otherwise where its tests prove it. An instance of a class stays one. */
const unverified = (connector: Connector): Connector =>
  Object.assign(Object.create(Object.getPrototypeOf(connector)), connector, {
    unverified: connector.unverified ?? true,
  })

/** What only the server can say of a connector: an id that is taken, a schema that it cannot work with. */
function misfits({ file, connector }: LoadedConnector): string[] {
  const twin = catalog.find(({ id }) => id === connector.id)
  const taken = twin === undefined ? [] : [`${file}: has the id ${twin.id}, as a ready-made connector has`]
  return [...taken, ...schemaFaults(connector).map(fault => `${file}: ${fault}`)]
}

/** Two ids may make the same name: `a-b` with the tool `c`, and `a` with `b_c`. */
function sharedTools(own: readonly LoadedConnector[]): string[] {
  const taken = new Set(catalog.flatMap(toolNamesOf))
  return own.flatMap(({ file, connector }) =>
    toolNamesOf(connector).flatMap(name => {
      const isTaken = taken.has(name)
      taken.add(name)
      return isTaken ? [`${file}: a tool would be called ${name}, as one of another connector is`] : []
    }),
  )
}

const toolNamesOf = ({ id, tools = [] }: Connector): string[] => tools.map(({ name }) => toolNameOf(id, name))

/** Of the config and of each tool's input; none where the server can check values by them. */
export function schemaFaults({ configSchema, tools = [] }: Connector): string[] {
  const schemas = [
    { field: 'configSchema', schema: configSchema },
    ...tools.map(({ name, input }) => ({ field: `the input of the tool ${name}`, schema: input })),
  ]
  return schemas.flatMap(({ field, schema }) => {
    try {
      validation.checkSchema(schema)
      return []
    } catch (error) {
      return [`${field} is no JSON Schema that can be used: ${(error as Error).message}`]
    }
  })
}
