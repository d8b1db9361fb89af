/** Runs programs of other people; each ends with its part, and so does whatever it started. */
import { type ChildProcess, spawn } from 'node:child_process'

export type CommandOptions = {
  cwd?: string
  /** Beside the environment of this process. */
  environment?: Record<string, string>
  signal: AbortSignal
}

export type Finished = { status: number; output: string }

/** What a program wrote last says why it failed. */
const keptOutputLength = 200_000

export async function runCommand(command: readonly string[], options: CommandOptions): Promise<Finished> {
  const child = startCommand(command, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', piece => {
      output = (output + piece).slice(-keptOutputLength)
    })
  return new Promise((finished, failed) => {
    child.once('error', failed)
    child.once('close', status => {
      if (options.signal.aborted) failed(options.signal.reason)
      else finished({ status: status ?? 1, output })
    })
  })
}

/** A program in a process group of its own, which the signal ends; throws if the signal has come already. */
export function startCommand(
  command: readonly string[],
  { cwd, environment, signal }: CommandOptions,
): ChildProcess {
  signal.throwIfAborted()
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    cwd: cwd ?? process.cwd(),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const end = (): void => endGroup(child)
  signal.addEventListener('abort', end, { once: true })
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The whole group has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
