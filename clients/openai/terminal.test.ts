/** Assistants for terminals, which run on loopback alone, each with a home and a configuration of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lastRun, tryClient, words } from './server.ts'

const tried = tryClient()
const programs = join(import.meta.dirname, 'node_modules', '.bin')
const mostMs = 90_000

test('codex exec', async t => {
  const home = await temporary(t)
  await writeFile(
    join(home, 'config.toml'),
    `model = "${tried.model}"
model_provider = "atrium"
[model_providers.atrium]
name = "Atrium"
base_url = "${tried.baseUrl}"
env_key = "ATRIUM_KEY"
wire_api = "responses"
`,
  )
  const args = ['exec', '--skip-git-repo-check', 'Tell me a story']
  const told = await run('codex', args, { home, environment: { CODEX_HOME: home } })
  assert.equal(told.trim(), words)
  assert.equal((await lastRun(tried, tried.model)).status, 'succeeded')
})

// The package above it names programs of other machines that not every registry has, so that no lock file holds.
const opencode = '../opencode-linux-x64/bin/opencode'

test('opencode run', async t => {
  const home = await temporary(t)
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Atrium',
    options: { baseURL: tried.baseUrl, apiKey: tried.key },
    models: { [tried.model]: { name: 'Agent' } },
  }
  const model = `atrium/${tried.model}`
  const settings = {
    provider: { atrium: provider },
    model,
    small_model: model,
    autoupdate: false,
    share: 'disabled',
  }
  await writeFile(join(home, 'opencode.json'), JSON.stringify(settings))
  const environment = {
    OPENCODE_CONFIG: join(home, 'opencode.json'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  }
  const told = await run(opencode, ['run', 'Tell me a story'], { home, environment })
  assert.match(told, new RegExp(words))
})

async function temporary(t: { after(work: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-terminal-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What the program wrote, once it has ended well. */
async function run(
  program: string,
  args: string[],
  { home, environment }: { home: string; environment: Record<string, string> },
): Promise<string> {
  const child = spawn(join(programs, program), args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ATRIUM_KEY: tried.key, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', piece => {
    output += piece
  })
  child.stderr.on('data', piece => {
    errors += piece
  })
  const code = await new Promise(resolve => child.on('close', resolve))
  assert.equal(code, 0, `${program} ended with ${code}: ${output}${errors}`)
  return output
}
