/** Loads connectors from files outside this package: one by its path, or all of a folder. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Connector } from '../connector.ts'
import { connectorFaults, isConnector } from './connector-faults.ts'

/** A file that holds no connector; `faults` has a line for each reason. */
export class ConnectorFileError extends Error {
  override readonly name = 'ConnectorFileError'
  readonly faults: readonly string[]

  constructor(file: string, faults: readonly string[], cause?: unknown) {
    const lines = faults.map(fault => `${file}: ${fault}`)
    super(lines.join('\n'), cause === undefined ? undefined : { cause })
    this.faults = lines
  }
}

/** Runs the file, so the file has to be trusted. Throws `ConnectorFileError`. */
export async function loadConnector(file: string): Promise<Connector> {
  const path = resolve(file)
  const found = await stat(path).catch(() => null)
  if (found === null) throw new ConnectorFileError(file, ['there is no such file'])
  if (!found.isFile()) throw new ConnectorFileError(file, ['is no file; name the connector itself'])
  const loaded = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new ConnectorFileError(file, [`cannot be loaded: ${reasonOf(error)}`], error)
  })
  if (!('default' in loaded)) {
    throw new ConnectorFileError(file, ['has no default export; end it with: export default connector'])
  }
  const connector: unknown = loaded.default
  if (!isConnector(connector)) throw new ConnectorFileError(file, connectorFaults(connector))
  return connector
}

export type LoadedConnector = { file: string; connector: Connector }

/**
 * Loads each connector of a folder: its files with the endings `.ts`, `.mts`, `.js` or `.mjs`, except tests and
 * declarations. A subfolder counts if it holds a file `connector` with such an ending. Returns the faults beside the
 * connectors.
 */
export async function loadConnectorFolder(folder: string) {
  const connectors: LoadedConnector[] = []
  const faults: string[] = []
  for (const file of await connectorFilesOf(folder)) {
    try {
      const connector = await loadConnector(file)
      const twin = connectors.find(other => other.connector.id === connector.id)
      if (twin === undefined) connectors.push({ file, connector })
      else faults.push(`${file}: has the id ${connector.id}, as ${twin.file} has`)
    } catch (error) {
      if (!(error instanceof ConnectorFileError)) throw error
      faults.push(...error.faults)
    }
  }
  return { connectors, faults }
}

async function connectorFilesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const { name } of entries.sort((a, b) => a.name.localeCompare(b.name))) {
    const path = join(folder, name)
    if (name.startsWith('.') || name === 'node_modules') continue
    // A link may lead to a file or to a folder, so its target is looked up.
    const isFolder = (await stat(path)).isDirectory()
    if (!isFolder && isConnectorFile(name)) files.push(path)
    if (!isFolder) continue
    const own = (await readdir(path)).find(inner => /^connector\.m?[jt]s$/.test(inner))
    if (own !== undefined) files.push(join(path, own))
  }
  return files
}

const isConnectorFile = (name: string): boolean =>
  /\.m?[jt]s$/.test(name) && !/\.(test|d)\.m?[jt]s$/.test(basename(name))

/** The reason in one line. For a syntax error it includes the line number, which only the stack holds. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [place = ''] = (error.stack ?? '').split('\n')
  const isPlaced = error instanceof SyntaxError && /:\d+$/.test(place)
  return isPlaced ? `${error.message} (line ${place.split(':').at(-1)})` : error.message
}
