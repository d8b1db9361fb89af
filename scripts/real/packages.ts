/** Brings packages of other registries below the lane's folder, once for each set that is asked for. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { Skipped, type Work } from './part.ts'

/** Fills a new folder, the first time that exactly this is asked for; answers the folder. */
export async function installed(
  { folder }: Work,
  name: string,
  asked: unknown,
  fill: (into: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 12)
  const into = join(folder, name, hash)
  const mark = join(into, '.complete')
  if (existsSync(mark)) return into
  // What was asked for before is of no use, and what an interrupted run left is not whole.
  await rm(join(folder, name), { recursive: true, force: true })
  await mkdir(into, { recursive: true })
  await fill(into)
  await writeFile(mark, '')
  return into
}

/** Runs an installing command: a registry's refusal skips the part, any other failure fails it. */
export async function fetched(
  work: Work,
  command: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const { status, output } = await runCommand(command, {
    cwd,
    signal: work.signal,
    environment: { ...fetching, ...environment },
  })
  if (status === 0) return
  const line = refusalIn(output)
  if (line !== undefined) throw new Skipped(`${command.slice(0, 3).join(' ')}: ${line}`)
  throw new Error(`${command.join(' ')} exited with ${status}:\n${output.slice(-4_000)}`)
}

/** A generator or a compiler must end well: a client that does not compile fails its part. */
export async function must(
  work: Work,
  command: readonly string[],
  cwd: string,
  environment = {},
): Promise<string> {
  const { status, output } = await runCommand(command, { cwd, signal: work.signal, environment })
  if (status !== 0)
    throw new Error(`${command.slice(0, 6).join(' ')} … exited with ${status}:\n${output.slice(-3_000)}`)
  return output
}

/** Certificates are those of the machine. */
const fetching = { UV_SYSTEM_CERTS: '1', UV_NATIVE_TLS: '1', UV_NO_PROGRESS: '1' }

const refusals = [
  /\b(401|403|404|407|451|50[234])\b.*(client error|forbidden|not found|unauthorized|unavailable|gone|http)/i,
  /(http|status|code)\D{0,20}\b(401|403|404|407|451|50[234])\b/i,
  /\bE(403|404|NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)\b/,
  /there (is|are) no versions? of|no matching distribution|not found in the package registry|could not resolve host/i,
  /could not (find|be resolved|transfer) artifact|failed to fetch|error sending request|dns error/i,
  /requires go >= /,
  /dial tcp|connection (refused|reset|timed out)|network is unreachable|temporary failure in name/i,
]

/** The line of a package client's output that says that the registry did not give it. */
export function refusalIn(output: string): string | undefined {
  return output
    .split('\n')
    .map(line => line.trim())
    .find(line => refusals.some(refusal => refusal.test(line)))
    ?.slice(0, 200)
}

/** The version of a program, or the reason to skip what needs it. */
export async function needs(work: Work, command: readonly string[]): Promise<string> {
  const { status, output } = await runCommand(command, { signal: work.signal }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { status: 127, output: '' }
    throw error
  })
  if (status !== 0) throw new Skipped(`${command[0]} is not installed`)
  return output.trim()
}

/** What `clients/python/packages.json` says. */
export type PythonPackages = {
  /** The package that installs the others. */
  installer: string
  /** Nothing newer than this day is taken, so that a run depends on no later release. */
  newest: string
  sets: Record<string, string[]>
}

export async function readPythonPackages(root: string): Promise<PythonPackages> {
  return JSON.parse(await readFile(join(root, 'clients/python/packages.json'), 'utf8'))
}

/** A virtual environment that holds a set; answers its `bin`. */
export async function pythonSet(work: Work, name: string): Promise<string> {
  const { installer, newest, sets } = await readPythonPackages(work.root)
  const wanted = sets[name]
  if (wanted === undefined) throw new Error(`packages.json has no set ${name}`)
  const uv = join(await pythonInstaller(work, installer), 'bin/uv')
  const folder = await installed(work, name, [installer, newest, wanted], async into => {
    await fetched(work, [uv, 'venv', '--quiet', '--allow-existing', into], into)
    const options = ['--exclude-newer', newest, '--python', join(into, 'bin/python')]
    await fetched(work, [uv, 'pip', 'install', '--quiet', ...options, ...wanted], into)
  })
  return join(folder, 'bin')
}

/** Parts that run side by side ask for it at the same time. */
const installing = new Map<string, Promise<string>>()

function pythonInstaller(work: Work, installer: string): Promise<string> {
  const key = `${work.folder} ${installer}`
  const begun = installing.get(key) ?? installInstaller(work, installer)
  installing.set(key, begun)
  return begun
}

async function installInstaller(work: Work, installer: string): Promise<string> {
  await needs(work, ['python3', '-c', 'import venv, ensurepip'])
  return installed(work, 'installer', installer, async into => {
    await fetched(work, ['python3', '-m', 'venv', into], into)
    await fetched(work, [join(into, 'bin/pip'), 'install', '--quiet', installer], into)
  })
}
