/** What every command is given. */
import type { Atrium } from '@atrium/sdk'
import type { ProfileStore } from './profiles.ts'
import type { Terminal } from './terminal.ts'

export type Options = Record<string, string | boolean | string[] | undefined> & {
  profile?: string
  url?: string
}

export type Context = {
  terminal: Terminal
  store: ProfileStore
  env: NodeJS.ProcessEnv
  options: Options
  /** What stands behind the command. */
  words: string[]
  /** Connects once it is needed. */
  atrium: () => Promise<Atrium>
  /** What was piped in; empty at a terminal. */
  stdin: () => Promise<string>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}
