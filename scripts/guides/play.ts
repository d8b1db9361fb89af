/**
 * Plays the reader of one page: every block in order, in one shell, in a folder that looks like this repository. What the
 * page shows as printed is compared with what was printed.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { announcedFailures, type Block } from './blocks.ts'
import { differenceOf } from './printed.ts'

const root = resolve(import.meta.dirname, '../..')
/** Of a whole page. */
export const timeLimitMs = 300_000

export type Reader = {
  /** Where `data` of the repository leads to: that of the running server. */
  dataDir: string
  /** What the reader puts in place of what a page shows: the address, the keys, what else is on loopback here. */
  replacements: ReadonlyMap<string, string>
}

/** Throws an error that names page and line of the first block that does not do what the page says. */
export async function playPage(blocks: readonly Block[], reader: Reader): Promise<void> {
  const folders = await openFolders(reader)
  try {
    const mine = blocks.map(block => ({ ...block, code: replaced(block, reader.replacements) }))
    const before = await filesIn(folders)
    const { exitCode, stderr } = await runShell(folders, await writeScript(folders, mine))
    await checkOutcomes(folders, mine, exitCode, stderr)
    const [left] = [...(await filesIn(folders))].filter(path => !before.has(path))
    if (left !== undefined) throw new Error(`${mine[0]?.page}: the page leaves ${left} behind`)
  } finally {
    await rm(folders.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

type Folders = { folder: string; repository: string; home: string; report: string }

/** Everything of the repository is there by links, so that what a page leaves behind shows. */
async function openFolders({ dataDir }: Reader): Promise<Folders> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-guide-'))
  const repository = join(folder, 'repository')
  const home = join(folder, 'home')
  const report = join(folder, 'report')
  for (const path of [repository, home, report, join(folder, 'programs')]) await mkdir(path)
  for (const name of await readdir(root))
    if (name !== 'data') await symlink(join(root, name), join(repository, name))
  await symlink(dataDir, join(repository, 'data'))
  // Without this, the newer Node of this machine would hide that Node 20 runs no TypeScript.
  const plainNode = `#!/bin/sh\nexec '${process.execPath}' --no-experimental-strip-types "$@"\n`
  await writeFile(join(folder, 'programs/node'), plainNode, { mode: 0o755 })
  return { folder, repository, home, report }
}

async function filesIn({ repository, home }: Folders): Promise<Set<string>> {
  const names = await Promise.all([repository, home].map(folder => readdir(folder)))
  // npm keeps its log there.
  return new Set(names.flat().filter(name => name !== '.npm'))
}

function replaced({ page, line, code, language, notRun }: Block, by: Reader['replacements']): string {
  let text = code
  for (const [shown, real] of by) text = text.replaceAll(shown, real)
  if (notRun === null && (language === 'sh' || language === 'ts' || language === 'js')) {
    const lines = text.split('\n')
    const index = lines.findIndex(each => each.includes('…') && !/^\s*(#|\/\/)/.test(each))
    if (index >= 0) throw new Error(`${page}:${line + index}: the reader is not told what to write for "…"`)
  }
  return text
}

/** Each block stands in a file of its own, on the lines that it has in the page. */
async function writeScript(
  { folder, repository, report }: Folders,
  blocks: readonly Block[],
): Promise<string> {
  const steps: string[] = []
  for (const [index, block] of blocks.entries()) {
    const name = `${block.page.replaceAll('/', '-')}-${block.line}`
    const source = '\n'.repeat(block.line - 1) + block.code
    const run = `> '${report}/${index}.out' 2> '${report}/${index}.err'`
    const finish = `finish '${announcedFailures(block).join(';')}'`
    if (block.notRun !== null) continue
    if (block.file !== null) {
      await writeFile(join(folder, name), block.code)
      steps.push(`echo ${index} > '${report}/at'`, `cp '${join(folder, name)}' ${block.file}`, "finish ''")
    } else if (block.language === 'sh') {
      await writeFile(join(folder, name), source)
      steps.push(`echo ${index} > '${report}/at'`, `{ . '${join(folder, name)}'; } ${run}`, finish)
    } else if (block.language === 'ts' || block.language === 'js') {
      const file = join(repository, `.${name}.${block.language === 'ts' ? 'ts' : 'mjs'}`)
      await writeFile(file, source)
      const node = block.language === 'ts' ? process.execPath : 'node'
      steps.push(`echo ${index} > '${report}/at'`, `'${node}' '${file}' ${run}`, "finish ''", `rm '${file}'`)
    }
  }
  const script = join(folder, 'script.sh')
  const shell = resolve(import.meta.dirname, 'reader.sh')
  await writeFile(join(report, 'failures'), '')
  await writeFile(script, [`. '${shell}'`, ...steps, 'echo end > "$REPORT/at"', 'jobs -r'].join('\n'))
  return script
}

async function runShell(
  { folder, repository, home, report }: Folders,
  script: string,
): Promise<{ exitCode: number | null; stderr: string }> {
  const path = (process.env.PATH ?? '').split(':').filter(each => !each.includes('node_modules'))
  const child = spawn('bash', [script], {
    cwd: repository,
    env: {
      PATH: [join(folder, 'programs'), ...path].join(':'),
      HOME: home,
      REPORT: report,
      // Programs of one page use what Node has compiled for those of another.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it leaves running can be ended.
    detached: true,
  })
  let stderr = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      stderr += piece
    })
  const timer = setTimeout(() => endGroup(child.pid), timeLimitMs)
  const exitCode = await new Promise<number | null>(done => child.once('exit', done))
  clearTimeout(timer)
  endGroup(child.pid)
  return { exitCode, stderr }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Nothing of it runs any more.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function checkOutcomes(
  { report }: Folders,
  blocks: readonly Block[],
  exitCode: number | null,
  said: string,
): Promise<void> {
  const at = (await readFile(join(report, 'at'), 'utf8').catch(() => '0')).trim()
  const printed = (index: number, kind: string): Promise<string> =>
    readFile(join(report, `${index}.${kind}`), 'utf8').catch(() => '')
  if (at !== 'end') {
    const index = Number(at)
    const block = blocks[index]
    if (block === undefined) throw new Error(said)
    const failures = (await readFile(join(report, 'failures'), 'utf8')).trim().split('\n')
    const [line = '', outcome = ''] = (failures[0] ?? '').split('\t')
    const announced = announcedFailures(block)
    const expected = announced.length === 0 ? '' : ` where the block announces ${announced.join(', ')}`
    const ended = exitCode === null ? `still ran after ${timeLimitMs / 1_000} s` : 'ended the shell'
    const output = `${await printed(index, 'out')}\n${await printed(index, 'err')}\n${said}`
    throw new Error(
      `${block.page}:${block.language === 'sh' && line !== '' ? line : block.line}: ${outcome || ended}${expected}\n${output.trim().slice(-3_000)}`,
    )
  }
  if (said !== '') throw new Error(`${blocks[0]?.page}: the page leaves a process behind: ${said}`)
  let last = -1
  for (const [index, block] of blocks.entries()) {
    if (block.notRun !== null || block.file !== null) continue
    if (block.language !== 'text' && block.language !== 'json') last = index
    else {
      const difference = differenceOf(block, await printed(last, 'out'))
      if (difference !== null) throw new Error(`${block.page}:${block.line}: ${difference}`)
    }
  }
}
