/** A server of the demo's own, in a temporary folder on a free port; stopping it removes every trace. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { promisify } from 'node:util'

export type RunningServer = { baseUrl: string; apiKey: string; stop: () => Promise<void> }

const root = resolve(import.meta.dirname, '../..')
const startTimeoutMs = 30_000

export async function startTemporaryServer(): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-demo-'))
  const env = { ...process.env, ATRIUM_DATA_DIR: folder, ATRIUM_PORT: '0' }
  const server = spawn(process.execPath, ['server/src/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async () => {
    if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const baseUrl = await addressOf(createInterface(server.stderr))
    console.log(`Server      ${baseUrl}, in a temporary folder`)
    return { baseUrl, apiKey: await createKey(env), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type LogLine = { level: string; message: string; address?: string }

/** The server logs a line of JSON when it is ready, with its address; faults before and after that are passed on. */
function addressOf(log: Interface): Promise<string> {
  return new Promise((resolveAddress, reject) => {
    const fail = (why: string) => () => reject(new Error(`The demo's server ${why}`))
    const timer = setTimeout(fail('did not start in time'), startTimeoutMs)
    log.on('close', fail('ended before it was ready'))
    log.on('line', text => {
      const line: LogLine = text.startsWith('{') ? JSON.parse(text) : { level: 'error', message: text }
      if (line.level === 'warn' || line.level === 'error') console.error(text)
      if (line.address === undefined) return
      clearTimeout(timer)
      resolveAddress(line.address)
    })
  })
}

/** The operator's command works beside the running server. */
async function createKey(env: NodeJS.ProcessEnv): Promise<string> {
  const command = 'key create --workspace my-workspace --env live --name Demo --permissions all --json'
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['server/src/operator/main.js', ...command.split(' ')],
    { cwd: root, env },
  )
  return (JSON.parse(stdout) as { key: string }).key
}
