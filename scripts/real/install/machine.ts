/** Machines as people have them: a Node of some version with some npm, as their registry has both, and nothing of ours. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Skipped, type Work } from '../part.ts'

/** What a shell, git and curl need. Whichever Node is there comes after that of the machine. */
const systemPath = ['/usr/local/bin', '/usr/bin', '/bin']
const environmentKept = ['LANG', 'LC_ALL', 'TMPDIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'SSL_CERT_FILE']
const proxyKept = ['http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS']

/** Versions as npm takes them: `20`, `22.13.0`. */
export type Versions = { node: string; npm: string }

export type Machine = {
  environment: NodeJS.ProcessEnv
  /** Runs a command to its end; what it printed is logged if it was to succeed and did not. */
  run(command: readonly string[], options: RunOptions): Promise<Ended>
}

export type RunOptions = { folder: string; environment?: NodeJS.ProcessEnv }
export type Ended = { code: number | null; output: string; seconds: number }

export async function openMachine(work: Work, { node, npm }: Versions): Promise<Machine> {
  const nodeFolder = await installTool(work, `node-${process.platform}-${process.arch}`, node)
  const npmFolder = await installTool(work, 'npm', npm)
  const programs = join(work.folder, 'machines', `node-${node}-npm-${npm}`)
  mkdirSync(programs, { recursive: true })
  link(join(nodeFolder, 'bin/node'), join(programs, 'node'))
  link(join(npmFolder, 'bin/npm-cli.js'), join(programs, 'npm'))
  const kept = [...environmentKept, ...proxyKept].map(name => [name, process.env[name]])
  const environment = {
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    PATH: [programs, ...systemPath].join(delimiter),
    HOME: homedir(),
    // Where the registry is named, which is the same from any home.
    npm_config_userconfig: join(homedir(), '.npmrc'),
    // One for all machines, kept between runs: the registry is asked for each package once.
    npm_config_cache: join(work.folder, 'npm-cache'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  }
  return {
    environment,
    run: (command, options) => runCommand(work, command, { environment, ...options }),
  }
}

/** A package in a folder of its own; it stays there for the next run. */
async function installTool(work: Work, name: string, version: string): Promise<string> {
  const folder = join(work.folder, 'tools', `${name}-${version}`)
  const package_ = join(folder, 'node_modules', name)
  if (existsSync(package_)) return package_
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`]
  const { code, output } = await runCommand(work, ['npm', ...words], { folder, environment: process.env })
  if (code !== 0)
    throw new Skipped(`npm cannot install ${name}@${version}: ${output.trim().split('\n').at(-1)}`)
  return package_
}

function link(target: string, path: string): void {
  if (!existsSync(path)) symlinkSync(target, path)
}

async function runCommand(
  work: Work,
  [program = '', ...words]: readonly string[],
  { folder, environment }: RunOptions,
): Promise<Ended> {
  work.signal.throwIfAborted()
  const startedAtMs = performance.now()
  const child = spawn(program, words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a part that takes too long leaves nothing behind.
    detached: true,
  })
  const end = () => endGroup(child.pid)
  work.signal.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', piece => {
      output += piece
    })
  const [code] = (await once(child, 'close')) as [number | null]
  work.signal.removeEventListener('abort', end)
  work.signal.throwIfAborted()
  return { code, output, seconds: (performance.now() - startedAtMs) / 1_000 }
}

/** Ends a process and all that it has started, and says whether there was any. */
export const endGroup = (pid: number | undefined): boolean => signalGroup(pid, 'SIGKILL')

export const isGroupAlive = (pid: number | undefined): boolean => signalGroup(pid, 0)

function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    // Nothing of it runs any more.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
