/** Health for orchestrators: whether the process is alive, and whether the parts that it depends on answer. */
import { type FastifyInstance, fastify } from 'fastify'

/** Resolves to null if a part is well; throws or resolves to a sentence if not. */
export type Probe = () => Promise<string | null>

const probeTimeoutMs = 2_000
const requestTimeoutMs = 10_000
const maxConnections = 100

/** Registers `/healthz` and `/readyz`. Neither needs a key, and neither shows more than one word for each part. */
export function registerHealth(server: FastifyInstance, probes: Readonly<Record<string, Probe>>): void {
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => [name, await tellHealth(probe)] as const),
    )
    const isReady = results.every(([, health]) => health !== 'down')
    if (!isReady) reply.code(503).header('retry-after', '5')
    return { status: isReady ? 'ready' : 'unavailable', checks: Object.fromEntries(results) }
  })
}

/** A server with only the probes, on a port that clients cannot reach. A process for jobs has no other server. */
export async function listenForProbes(
  probes: Readonly<Record<string, Probe>>,
  address: { host: string; port: number },
): Promise<{ address: string; close(): Promise<void> }> {
  const server = fastify({ requestTimeout: requestTimeoutMs, bodyLimit: 1, forceCloseConnections: true })
  server.server.maxConnections = maxConnections
  registerHealth(server, probes)
  return { address: await server.listen(address), close: () => server.close() }
}

/** `degraded` means that a part is down but the service goes on without it. */
async function tellHealth(probe: Probe): Promise<'ok' | 'degraded' | 'down'> {
  const timeout = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), probeTimeoutMs).unref()
  })
  try {
    return (await Promise.race([probe(), timeout])) === null ? 'ok' : 'degraded'
  } catch {
    return 'down'
  }
}
