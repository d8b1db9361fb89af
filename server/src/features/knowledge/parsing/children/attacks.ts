/** Attacks a container from within, to see what holds: by Node's permissions, by the container, and by both. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { type Attack, type Outcomes, startChild, type Targets } from './child-process.ts'
import { codeFolders, compiledInside, compiledReaders } from './code.ts'
import { loadedLibraries, type Stages } from './container.ts'

export type AttackReport = {
  attack: Attack
  permissions: string | null
  container: string | null
  both: string | null
}

/** What the attack's files are called. */
const attackName = 'atrium-attack'

const none: Stages = new Set()
const patienceMs = 20_000

/**
 * `folder` is the one for children, within `dataDir`. The container alone is what code in machine language meets: it
 * does not ask Node.
 */
export async function attackContainer(folder: string, dataDir: string, has: Stages): Promise<AttackReport[]> {
  const permissions = await attack(folder, dataDir, none, true)
  const container = has.size === 0 ? null : await attack(folder, dataDir, has, false)
  const both = container === null ? permissions : await attack(folder, dataDir, has, true)
  return (Object.keys(both.outcomes) as Attack[]).map(name => ({
    attack: name,
    permissions: permissions.outcomes[name],
    container: container?.outcomes[name] ?? null,
    both: both.outcomes[name],
  }))
}

/** `isWalled`: under Node's permissions, as every reader. `isCompiled`: Node used the compiled code. */
export async function attack(
  folder: string,
  dataDir: string,
  has: Stages,
  isWalled: boolean,
): Promise<{ outcomes: Outcomes; isCompiled: boolean }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ownSecret = join(folder, `${attackName}-secret`)
  const upload = join(folder, `${attackName}-upload`)
  const realSecret = join(dataDir, 'secret')
  const usual = [tmpdir(), '/dev/shm', dataDir, folder, ...codeFolders]
  // As far as Node knows, a reader may write to the folder of its compiled code.
  const cache = compiledReaders(folder)
  const folders = [...(cache === null ? [] : [cache]), ...usual].filter(
    path => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  )
  const listener = createServer(socket => void socket.destroy()).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const child = startChild(folder, has, { program: new URL('./attack.ts', import.meta.url), isWalled })
  const timer = setTimeout(() => child.kill(new Error('The attack took too long')), patienceMs)
  try {
    writeFileSync(ownSecret, 'A secret.', { mode: 0o600 })
    copyFileSync(anyLibrary(), upload)
    const document = await child.lend(upload)
    const targets: Targets = {
      name: attackName,
      dataDir,
      secret: existsSync(realSecret) ? realSecret : ownSecret,
      document,
      folders: [...folders, compiledInside, dirname(document)],
      serverId: process.pid,
      environment: hashOfEnvironment(),
      port: (listener.address() as AddressInfo).port,
    }
    child.send({ type: 'attack', targets })
    const reply = await child.receive()
    if (reply.type !== 'attacked') throw new Error(`The attack said ${inspect(reply)}`)
    return reply
  } finally {
    clearTimeout(timer)
    child.kill(new Error('The attack is over'))
    listener.close()
    for (const place of folders) {
      rmSync(join(place, attackName), { force: true })
      rmSync(join(place, `${attackName}.node`), { force: true })
    }
    for (const path of [ownSecret, upload]) rmSync(path, { force: true })
  }
}

/** A small library that this system surely loads, as what a stranger uploads under the name of a document. */
function anyLibrary(): string {
  const found = loadedLibraries().find(path => /\/lib(m|gcc_s)[.-]/.test(path)) ?? loadedLibraries()[0]
  if (found === undefined) throw new Error('This system names no library that Node uses')
  return found
}

function hashOfEnvironment(): string {
  const file = '/proc/self/environ'
  return createHash('sha256')
    .update(existsSync(file) ? readFileSync(file) : '')
    .digest('hex')
}
