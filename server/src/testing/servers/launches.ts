/** Programs as a person or a script starts them: what they print is kept, and none outlives its test. */
import { type ChildProcess, spawn } from 'node:child_process'

export type Launched = { child: ChildProcess; out: () => string; err: () => string }

/** Each has no standard input. */
export function createLaunches() {
  const running = new Set<ChildProcess>()
  return {
    launch(
      [command = '', ...words]: readonly string[],
      options: { env: NodeJS.ProcessEnv; cwd?: string },
    ): Launched {
      const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
      running.add(child)
      child.once('exit', () => running.delete(child))
      let out = ''
      let err = ''
      child.stdout.on('data', piece => {
        out += piece
      })
      child.stderr.on('data', piece => {
        err += piece
      })
      return { child, out: () => out, err: () => err }
    },
    /** A test that failed has left its programs running. */
    endAll(): void {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}
