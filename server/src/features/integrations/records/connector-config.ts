/** The config of a connection as its connector reads it. */
import type { Config, Connector } from '@atrium/connectors'

/** A connection may be older than a setting of its connector. */
export function withDefaults({ configSchema }: Connector, config: Config): Config {
  const filled = { ...config }
  for (const [name, terms] of Object.entries(configSchema.properties)) {
    const { default: usual } = terms as { default?: unknown }
    if (filled[name] === undefined && usual !== undefined) filled[name] = structuredClone(usual)
  }
  return filled
}
