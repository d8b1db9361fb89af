/** What the main thread and the thread that watches it share. */
import type { LogLevel } from '../log.ts'

export type WatchTimes = {
  /** How often the thread looks. */
  tickMs: number
  /** It says so if the main thread is blocked for so long. */
  saysAfterMs: number
  /** It ends the process if the main thread is blocked for so long. */
  endsAfterMs: number
}

/** The places of the numbers in the memory of signs. */
export const places = { signs: 0, isDebugged: 1, heapPercent: 2 } as const

export type WatchData = {
  signs: SharedArrayBuffer
  works: SharedArrayBuffer
  dataDir: string
  /** Names the files of this process. */
  name: string
  /** Null if the database is a file that the blocked thread may have locked. */
  databaseUrl: string | null
  logLevel: LogLevel
  heapLimitBytes: number
  times: WatchTimes
}
