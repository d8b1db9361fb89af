/** `npm start` as a person runs it in a copy: until it answers, with the lines that it prints to paste, until it is stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Work } from '../part.ts'
import { endGroup, isGroupAlive, type Machine } from './machine.ts'

const longestStartMs = 120_000
/** Of the lines to paste, which come until the workspace is set up, and of the greeting afterwards. */
const lastLine = /erase=true|Atrium listens on/

export type Started = {
  /** Null if it ended instead. */
  address: string | null
  output(): string
  /** What bash is given, with an error of HTTP as a failure of curl. */
  linesToPaste(): string
  /** A signal to npm alone, as a supervisor sends it. Says whether a process outlived npm. */
  stop(signal: NodeJS.Signals): Promise<{ leftBehind: boolean; answersStill: boolean }>
}

export async function startServer(
  work: Work,
  { environment }: Pick<Machine, 'environment'>,
  { folder, data }: { folder: string; data: string },
): Promise<Started> {
  work.signal.throwIfAborted()
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...environment, ATRIUM_PORT: '0', ATRIUM_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  work.signal.addEventListener('abort', () => endGroup(child.pid))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', piece => {
      output += piece
    })
  const address = await listening(child, () => output)
  return {
    address,
    output: () => output,
    linesToPaste() {
      const [, after = ''] = output.split('Lines to paste:')
      const lines = after.split('\n').filter(line => line.startsWith('  '))
      return ['set -e', 'curl() { command curl --show-error --fail-with-body "$@"; }', ...lines].join('\n')
    },
    async stop(signal) {
      const closed = once(child, 'close')
      child.kill(signal)
      await once(child, 'exit')
      // Children that read files see their server end, and end a moment later.
      for (let tries = 0; tries < 100 && isGroupAlive(child.pid); tries++) await sleep(50)
      const leftBehind = endGroup(child.pid)
      await closed
      return { leftBehind, answersStill: address !== null && (await answers(address)) }
    },
  }
}

async function listening(child: ChildProcess, output: () => string): Promise<string | null> {
  const deadline = performance.now() + longestStartMs
  while (child.exitCode === null && performance.now() < deadline) {
    const address = /"Atrium is ready","address":"([^"]+)"/.exec(output())?.[1]
    if (address !== undefined && lastLine.test(output())) return address
    await sleep(50)
  }
  endGroup(child.pid)
  return null
}

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  )
