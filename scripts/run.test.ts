/** How a command finds its Node, whichever one is installed, and what is refused with a remedy. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'

const root = resolve(import.meta.dirname, '..')
/** What a shell needs besides Node. */
const systemPath = '/usr/local/bin:/usr/bin:/bin'

type Install = {
  folder: string
  run(...command: string[]): { status: number | null; out: string; err: string }
}

/** A folder with our two scripts, and with what `npm ci` leaves behind if it succeeds, except for a Node. */
function install(context: TestContext, oldest = '24.15'): Install {
  const folder = join(mkdtempSync(join(tmpdir(), 'atrium-run-')), 'Ein Ordner für Größen')
  context.after(() => rmSync(resolve(folder, '..'), { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  mkdirSync(join(folder, 'scripts'))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
  copyFileSync(join(root, 'scripts/run'), join(folder, 'scripts/run'))
  const source = readFileSync(join(root, 'scripts/find-node.cjs'), 'utf8')
  const changed = source.replace("oldest = '24.15'", `oldest = '${oldest}'`)
  assert.equal(changed === source, oldest === '24.15')
  writeFileSync(join(folder, 'scripts/find-node.cjs'), changed)
  const runningNode = join(folder, 'machine')
  mkdirSync(runningNode)
  writeFileSync(join(runningNode, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  return {
    folder,
    run(...command) {
      const child = spawnSync(join(folder, 'scripts/run'), command, {
        cwd: tmpdir(),
        env: { PATH: `${runningNode}:${systemPath}` },
        encoding: 'utf8',
      })
      return { status: child.status, out: child.stdout, err: child.stderr }
    },
  }
}

/** A program that says its name stands for the Node of a package. */
function bring(folder: string, name: string, version: string): void {
  const package_ = join(folder, 'node_modules', name)
  mkdirSync(join(package_, 'bin'), { recursive: true })
  writeFileSync(join(package_, 'package.json'), JSON.stringify({ name, version }))
  writeFileSync(join(package_, 'bin/node'), `#!/bin/sh\necho "${name} $*"\n`, { mode: 0o755 })
}

const platform = `${process.platform}-${process.arch}`

for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
  test(`a command gets the Node of ${name}, from any folder and without a link in .bin`, context => {
    const { folder, run } = install(context)
    bring(folder, name, '24.21.0')
    assert.deepEqual(run('node', 'a b.ts', '--flag'), { status: 0, out: `${name} a b.ts --flag\n`, err: '' })
  })
}

for (const version of ['22.23.5', '24.14.9']) {
  test(`a Node ${version} that came along is too old to be used`, context => {
    const { folder, run } = install(context)
    bring(folder, `node-${platform}`, version)
    assert.equal(run('node', '-p', 'process.execPath').out, `${process.execPath}\n`)
  })
}

test('where no Node came along, a new enough one of the machine is used', context => {
  const { run } = install(context)
  assert.equal(run('node', '-p', 'process.execPath').out, `${process.execPath}\n`)
})

test('an old Node of the machine alone is refused in one line with the remedy', context => {
  const { run } = install(context, '99.1')
  const { status, out, err } = run('echo', 'started')
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, /^atrium: Node \d\S+ is too old, and .*Install Node 99\.1 or later.*--omit=optional\.\n$/)
})

test('an installation that is missing or broke off is refused in one line with the remedy', context => {
  const { folder, run } = install(context)
  rmSync(join(folder, 'node_modules/.package-lock.json'))
  assert.deepEqual(run('echo', 'started'), {
    status: 1,
    out: '',
    err: 'atrium: Its dependencies are not installed, or only in part. Run: npm ci\n',
  })
})

test('the exit code is that of the command', context => {
  assert.equal(install(context).run('sh', '-c', 'exit 7').status, 7)
})

test('a signal reaches the command itself, which has the process of the script', async context => {
  const { folder } = install(context)
  const command = ['node', '-e', 'console.log(process.pid); setInterval(() => {}, 1000)']
  const child = spawn(join(folder, 'scripts/run'), command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  assert.equal(Number(printed), child.pid)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM'])
})

test('each script of a package.json begins with scripts/run, so npm 10 runs it as npm 11 does', () => {
  const manifests = tracked('package.json', '*/package.json').filter(path => !path.startsWith('examples/'))
  assert.ok(manifests.length >= 10, manifests.join(', '))
  for (const path of manifests) {
    const { scripts = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      scripts?: Record<string, string>
    }
    const up = '../'.repeat(path.split('/').length - 1)
    for (const part of Object.values(scripts).flatMap(script => script.split(' && ')))
      assert.match(part, new RegExp(`^(exec )?${up}scripts/run \\w`), `${path}: ${part}`)
  }
})

test('no text names npx or npm install with a package of ours, which a stranger could register', () => {
  const faults = tracked('*.md', '*.ts', '*.tsx', '*.js', '*.html', 'openapi.json').flatMap(path =>
    path === 'scripts/run.test.ts'
      ? []
      : readFileSync(join(root, path), 'utf8')
          .split('\n')
          .filter(line =>
            /\b(npx|bunx|npm (exec|x|i|install|add|create|init)|(pnpm|yarn) (dlx|add))\b.*(?<![\w/-])@?atrium(?!\w)/.test(
              line,
            ),
          )
          .map(line => `${path}: ${line.trim().slice(0, 200)}`),
  )
  assert.deepEqual(faults, [])
})

test('the lock file says which binaries need which C library: npm 10 would write it without', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { libc?: string[] }>
  }
  assert.ok(Object.values(packages).filter(({ libc }) => libc !== undefined).length > 10)
})

function tracked(...patterns: string[]): string[] {
  const { stdout, status } = spawnSync('git', ['ls-files', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  return stdout.trim().split('\n')
}
