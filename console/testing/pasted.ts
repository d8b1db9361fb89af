import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What lines of curl answer that a person copies from a page and pastes into their shell. */
export async function pasted(lines: string): Promise<{ data?: unknown; code?: string }> {
  const { stdout } = await run('bash', ['-c', lines])
  return JSON.parse(stdout)
}
