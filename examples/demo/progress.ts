/** A progress bar in the terminal; elsewhere one line at the end. */
import type { Progress } from './synchronize.ts'

const width = 32

export function createProgress(title: string, total: number): Progress {
  const { stdout } = process
  let done = 0
  const draw = () => {
    const filled = Math.round((width * done) / total)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    stdout.write(`${stdout.isTTY ? '\r' : ''}${title.padEnd(11)} ${bar} ${done}/${total}`)
  }
  if (stdout.isTTY) draw()
  return {
    advance() {
      done += 1
      if (stdout.isTTY) draw()
    },
    end() {
      if (!stdout.isTTY) draw()
      stdout.write('\n')
    },
  }
}
