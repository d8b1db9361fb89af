/** The memory of a server's reading processes, seen from outside: what they hold, and the peak of those that were alive. */
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const everyMs = 20

export type MemoryWatch = {
  /** Ends the watch; the most that one process held, in MB, or null if there was none. */
  stop(): Promise<number | null>
}

/** Forgets earlier peaks, then looks every 20 ms: a process that is killed leaves what was last seen. */
export async function watchChildren(pid: number): Promise<MemoryWatch> {
  let peakMb: number | null = null
  let isOver = false
  const look = async (): Promise<void> => {
    for (const child of await childrenOf(pid)) {
      const seenMb = await fieldOf(child, 'VmHWM')
      if (seenMb !== null) peakMb = Math.max(peakMb ?? 0, seenMb)
    }
  }
  for (const child of await childrenOf(pid)) await forgetPeak(child)
  const watching = (async () => {
    while (!isOver) {
      await look()
      await sleep(everyMs)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      await look()
      return peakMb
    },
  }
}

/** What the process and its children hold now, in MB. */
export async function residentWithChildrenMb(pid: number): Promise<number> {
  const held = await Promise.all(
    [String(pid), ...(await childrenOf(pid))].map(process => fieldOf(process, 'VmRSS')),
  )
  return held.reduce((sum: number, mb) => sum + (mb ?? 0), 0)
}

async function childrenOf(pid: number): Promise<string[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return list.split(' ').filter(child => child !== '')
}

/** 5 sets the peak back to what is held now (proc(5)). One that has ended needs no setting back. */
const forgetPeak = (child: string): Promise<void> =>
  writeFile(`/proc/${child}/clear_refs`, '5').catch(() => undefined)

/** Null once it has ended. */
async function fieldOf(pid: string, field: 'VmHWM' | 'VmRSS'): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)
  return found === null ? null : Number(found[1]) / 1024
}
