/**
 * Runs in place of a reader and does what a file that has taken its reader over would do. It says what it could do.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Attack, FromChild, Outcomes, Targets } from './child-process.ts'

/** Tries the same in several places, and throws the first error unless one succeeds. */
function anyOf<Place>(places: readonly Place[], attempt: (place: Place) => unknown): void {
  const errors: unknown[] = []
  for (const place of places) {
    try {
      attempt(place)
      return
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0]
}

function load(path: string): void {
  const module = { exports: {} }
  try {
    process.dlopen(module, path)
  } catch (error) {
    // The library is loaded, and its first code has run. Node only asks for more of a library that it knows already.
    if (!/self-register/.test(String(error))) throw error
  }
}

const isOther = (id: string): boolean => /^\d+$/.test(id) && Number(id) !== process.pid

const attacksOn = (targets: Targets): Record<Attack, () => unknown> => ({
  'write a file': () => anyOf(targets.folders, folder => writeFileSync(join(folder, targets.name), 'x')),
  'read the secret': () => readFileSync(targets.secret),
  'list the data folder': () => readdirSync(targets.dataDir),
  'load a library that it wrote': () =>
    anyOf(targets.folders, folder => {
      const path = join(folder, `${targets.name}.node`)
      copyFileSync(targets.document, path)
      load(path)
    }),
  'load the document as a library': () => load(targets.document),
  "read another process's environment": () =>
    anyOf([String(targets.serverId), ...readdirSync('/proc').filter(isOther)], id => {
      if (hashOf(readFileSync(`/proc/${id}/environ`)) !== targets.environment) throw notTheServer
    }),
  'connect to the server': () =>
    new Promise<void>((resolve, reject) => {
      connect(targets.port, '127.0.0.1').once('connect', resolve).once('error', reject)
    }),
  'signal the server': () => process.kill(targets.serverId, 0),
  'start a program': () => {
    const { error, status } = spawnSync(process.execPath, ['--version'])
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`status ${status}`)
  },
})

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const notTheServer = Object.assign(new Error('not the server'), { code: 'not to be seen' })

process.on('message', async ({ targets }: { targets: Targets }) => {
  const outcomes: Partial<Outcomes> = {}
  for (const [name, attack] of Object.entries(attacksOn(targets)) as [Attack, () => unknown][]) {
    try {
      await attack()
      outcomes[name] = null
    } catch (error) {
      outcomes[name] = error instanceof Error && 'code' in error ? String(error.code) : inspect(error)
    }
  }
  process.send?.({
    type: 'attacked',
    outcomes: outcomes as Outcomes,
    isCompiled: getCompileCacheDir() !== undefined,
  } satisfies FromChild)
})
process.on('disconnect', () => process.exit())
process.send?.({ type: 'ready' } satisfies FromChild)
