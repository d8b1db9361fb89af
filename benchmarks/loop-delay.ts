/** How late a server's event loop is, measured inside of it by `programs/loop-delay.ts` and read from outside. */
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type LoopDelay = { p99Ms: number; maxMs: number }

export type LoopWatch = {
  /** For `startAtrium`. */
  nodeArguments: string[]
  settings: Record<string, string>
  /** What was seen since the last time it was asked. */
  read(pid: number): Promise<LoopDelay>
}

const giveUpMs = 5_000

export function createLoopWatch(): LoopWatch {
  const file = join(tmpdir(), `atrium-loop-delay-${process.pid}.json`)
  return {
    nodeArguments: ['--import', join(import.meta.dirname, 'programs/loop-delay.ts')],
    settings: { LOOP_DELAY_FILE: file },
    async read(pid) {
      await rm(file, { force: true })
      process.kill(pid, 'SIGUSR2')
      for (let waitedMs = 0; waitedMs < giveUpMs; waitedMs += 5) {
        const text = await readFile(file, 'utf8').catch(() => null)
        if (text !== null) {
          await rm(file)
          return JSON.parse(text) as LoopDelay
        }
        await sleep(5)
      }
      throw new Error('The server did not tell how late its event loop is')
    },
  }
}
