/** Another process that runs a file of this folder, for tests about what only several processes can show. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Child = {
  readonly process: ChildProcess
  /** Resolves with the next line that it prints; throws if it ends before. */
  line(): Promise<string>
  /** Sends one line to its standard input. */
  send(line: string): void
  /** Resolves with what it wrote to standard error, once it has ended. */
  ended(): Promise<string>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

export type ChildProgram = 'job-worker' | 'lock-holder' | 'migrator' | 'run-worker' | 'watched-worker'

/** `input` arrives as the program's only argument, as JSON. `flags` are Node's own. */
export function startChild(program: ChildProgram, input: unknown, flags: readonly string[] = []): Child {
  const file = join(import.meta.dirname, 'programs', `${program}.ts`)
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(input)], { stdio: 'pipe' })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const exited = once(child, 'close')
  return {
    process: child,
    line: async () => {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${program} ended: ${errors}`)
      return value
    },
    send: line => child.stdin.write(`${line}\n`),
    ended: async () => {
      await exited
      return errors
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
